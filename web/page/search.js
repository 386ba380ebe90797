// The engine in a Web Worker: one search at a time, in slices short enough that a stop is heard at once. Slices are counted
// in work units, so the course of a search does not depend on the machine; only their size is fitted to the clock.
'use strict';
importScripts('engine_worker.js');

const sliceMs = 12, progressMs = 50;
let api = null, engine = 0, job = null, waiting = null, held = 0, broken = '';
const channel = new MessageChannel();
channel.port1.onmessage = () => slice();

// Its memory is no longer to be relied upon: the page dismisses this worker and makes another when it needs one.
const ranOut = 'the engine ran out of memory or broke: ';
function end(message) {
    postMessage({...message, ended: true});
    job = null;
}

function seconds() { return (performance.now() - job.begun - job.paused) / 1000; }

function start(message) {
    held = message.search;
    job = {search: message.search, begun: performance.now(), paused: 0, pausedAt: message.paused ? performance.now() : 0, work: 20000, told: 0, resultTold: 0, resultCost: 0,
        improved: false, events: [], stopping: message.stopping === true};
    let words;
    try {
        words = startEngine(message.problem, message.options);
    } catch (error) {
        return end({kind: 'failed', search: job.search, words: ranOut + error, last: true});
    }
    if (words) {
        postMessage({kind: 'failed', search: job.search, words, last: true});
        job = null;
        return;
    }
    channel.port2.postMessage(0);
}

function tell(last) {
    const now = performance.now();
    const events = JSON.parse(api.events(engine));
    job.events.push(...events);
    if (events.some((event) => event.kind === 'period' || event.kind === 'makespan')) job.improved = true;
    if (!last && now - job.told < progressMs) return;
    job.told = now;
    const progress = JSON.parse(api.progress(engine));
    postMessage({kind: 'progress', search: job.search, seconds: seconds(), events: JSON.stringify(job.events),
        work: progress.work, nodes: progress.nodes});
    job.events = [];
    // A result costs time in proportion to its schedule: at most a tenth of the search's.
    if (last || (job.improved && now - job.resultTold > 10 * job.resultCost + progressMs)) {
        const result = api.result(engine, seconds());
        job.improved = false;
        job.resultTold = performance.now();
        job.resultCost = job.resultTold - now;
        postMessage({kind: 'result', search: job.search, seconds: seconds(), result, last});
    }
}

function slice() {
    if (!job || job.pausedAt) return;
    try {
        const before = performance.now();
        const more = !job.stopping && api.step(engine, job.work) === 1;
        const cost = performance.now() - before;
        if (cost < sliceMs / 2) job.work = Math.min(job.work * 2, 1e9);
        else if (cost > sliceMs * 1.5) job.work = Math.max(Math.round(job.work / 2), 1000);
        if (job.stopping) api.stop(engine, 'interrupted');
        tell(!more);
        if (more) channel.port2.postMessage(0);
        else job = null;
    } catch (error) {
        end({kind: 'failed', search: job.search, words: ranOut + error, last: true});
    }
}

// The proof of what the last search found: a document, or words why there is none.
function prove(message) {
    let text = 'the search that found this is gone: search again';
    try {
        if (api && message.search === held && !job) text = api.proof(engine, message.what);
    } catch (error) {
        return end({kind: 'proof', search: message.search, what: message.what, text: ranOut + error});
    }
    postMessage({kind: 'proof', search: message.search, what: message.what, text});
}

onmessage = (event) => {
    const message = event.data;
    if (message.kind === 'start') {
        waiting = null;
        if (api) start(message);
        else if (broken) postMessage({kind: 'failed', search: message.search, words: broken, last: true});
        else waiting = message;
    } else if (message.kind === 'stop') {
        // Not begun yet: it ends as soon as it can, and says so.
        if (waiting) Object.assign(waiting, {stopping: true, paused: false});
        if (!job) return;
        job.stopping = true;
        if (job.pausedAt) {
            job.paused += performance.now() - job.pausedAt;
            job.pausedAt = 0;
            channel.port2.postMessage(0);
        }
    } else if (message.kind === 'prove') {
        prove(message);
    } else if (waiting) {
        waiting.paused = message.kind === 'pause';
    } else if (message.kind === 'pause') {
        if (job && !job.pausedAt) job.pausedAt = performance.now();
    } else if (message.kind === 'resume' && job && job.pausedAt) {
        job.paused += performance.now() - job.pausedAt;
        job.pausedAt = 0;
        channel.port2.postMessage(0);
    }
};

let engineModule = null;
// The problem goes through the heap: it may be larger than the stack.
function startEngine(problem, options) {
    const size = engineModule.lengthBytesUTF8(problem) + 1;
    const at = engineModule._malloc(size);
    if (at === 0) return 'no memory for this problem';
    engineModule.stringToUTF8(problem, at, size);
    const words = api.start(engine, at, options);
    engineModule._free(at);
    return words;
}

createEngine().then((module) => {
    engineModule = module;
    const n = 'number', s = 'string';
    api = {
        create: module.cwrap('engine_create', n, []),
        start: module.cwrap('engine_start', s, [n, n, s]),
        step: module.cwrap('engine_step', n, [n, n]),
        events: module.cwrap('engine_events', s, [n]),
        progress: module.cwrap('engine_progress', s, [n]),
        result: module.cwrap('engine_result', s, [n, n]),
        proof: module.cwrap('engine_proof', s, [n, s]),
        stop: module.cwrap('engine_stop', null, [n, s]),
    };
    engine = api.create();
    if (waiting) start(waiting);
    waiting = null;
}).catch((error) => {
    broken = String(error);
    postMessage({kind: 'failed', search: waiting ? waiting.search : 0, words: broken, last: true});
    waiting = null;
});
