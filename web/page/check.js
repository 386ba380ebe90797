// The checker of proofs in a Web Worker of its own: it loads the checker's module and nothing of the search.
'use strict';
importScripts('checker.js');

let module = null;
const waiting = [];

function check(message) {
    const held = [];
    const hold = (text) => {
        const size = module.lengthBytesUTF8(text) + 1;
        const at = module._malloc(size);
        if (at === 0) throw new RangeError('no memory for a text of ' + size + ' bytes');
        module.stringToUTF8(text, at, size);
        held.push(at);
        return at;
    };
    const begun = performance.now();
    try {
        const answer = module.UTF8ToString(module._checker_check(hold(message.proof), hold(message.problem)));
        held.forEach((at) => module._free(at));
        postMessage({check: message.check, answer, seconds: (performance.now() - begun) / 1000});
    } catch (error) {
        // Its memory is no longer to be relied upon: the page starts another.
        postMessage({check: message.check, failed: 'the checker ran out of memory or broke: ' + error});
    }
}

onmessage = (event) => {
    if (module) check(event.data);
    else waiting.push(event.data);
};

createChecker().then((loaded) => {
    module = loaded;
    waiting.splice(0).forEach(check);
}).catch((error) => {
    waiting.splice(0).forEach((message) => postMessage({check: message.check, failed: String(error)}));
    onmessage = (event) => postMessage({check: event.data.check, failed: String(error)});
});
