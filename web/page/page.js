// The page around the canvas: loads the module, brings input to it, does what only a page can do (workers, clipboard,
// files, address bar, text for screen readers), and owns frames: one is drawn when something happened or moves, else none.
'use strict';
(() => {
    const canvas = document.getElementById('canvas');
    const first = document.getElementById('first');
    const live = document.getElementById('live');
    const keyboard = document.getElementById('keyboard');
    const touchScreen = matchMedia('(pointer: coarse)').matches;
    const schemes = {
        dark: matchMedia('(prefers-color-scheme: dark)'),
        contrast: matchMedia('(prefers-contrast: more), (forced-colors: active)'),
        still: matchMedia('(prefers-reduced-motion: reduce)'),
    };
    const largestFile = 64 * 1024 * 1024;
    let module = null, api = null;
    let scheduled = false, timer = 0, drawn = 0, shown = false, givenUp = false, lastLink = '';
    let readyDone;
    const ready = new Promise((resolve) => { readyDone = resolve; });

    function trouble(words) {
        const box = document.getElementById('trouble');
        box.textContent = words;
        box.hidden = false;
        document.getElementById('loading').textContent = '';
        first.hidden = false;
        live.textContent = words;
    }
    function giveUp(words) {
        givenUp = true;
        canvas.hidden = true;
        trouble(words);
    }

    // Dear ImGui asks in every frame for the state that it will put back, and each answer would wait until everything
    // before has been drawn. Nothing else draws here and all that does sets what it needs: the answers can be these.
    function answerAtOnce(gl) {
        const known = new Map([[gl.ACTIVE_TEXTURE, gl.TEXTURE0], [gl.BLEND_SRC_RGB, gl.ONE], [gl.BLEND_SRC_ALPHA, gl.ONE],
            [gl.BLEND_DST_RGB, gl.ZERO], [gl.BLEND_DST_ALPHA, gl.ZERO], [gl.BLEND_EQUATION_RGB, gl.FUNC_ADD],
            [gl.BLEND_EQUATION_ALPHA, gl.FUNC_ADD]]);
        for (const bound of [gl.CURRENT_PROGRAM, gl.TEXTURE_BINDING_2D, gl.SAMPLER_BINDING, gl.ARRAY_BUFFER_BINDING,
            gl.VERTEX_ARRAY_BINDING]) known.set(bound, null);
        const ask = gl.getParameter.bind(gl);
        gl.getParameter = (name) => known.has(name) ? known.get(name)
            : name === gl.VIEWPORT || name === gl.SCISSOR_BOX ? [0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight]
            : ask(name);
    }

    // ---- frames ------------------------------------------------------------------------------------------------
    // The module knows how many are wanted: it hears most of the input itself.
    function wake(frames = 3) { api.wake(frames); }
    function schedule() {
        if (!scheduled && api && !givenUp) {
            scheduled = true;
            asked = performance.now();
            requestAnimationFrame(frame);
        }
    }
    // Where drawing is slow (no graphics card), a frame comes late: news of a search is then drawn less often, so that
    // drawing does not take the time that the search needs.
    let asked = 0, late = 0, quietUntil = 0, newsTimer = 0;
    function wakeForNews() {
        const now = performance.now();
        if (now >= quietUntil) {
            quietUntil = now + 4 * Math.max(0, late - 25);
            wake(2);
        } else if (!newsTimer) {
            newsTimer = setTimeout(() => { newsTimer = 0; wakeForNews(); }, quietUntil - now);
        }
    }
    function frame(now) {
        scheduled = false;
        late = performance.now() - asked;
        const more = api.frame(now);
        drawn += 1;
        act();
        if (!shown) reveal();
        if (more) return schedule();
        clearTimeout(timer);
        const at = api.wakeAt();
        if (at >= 0) timer = setTimeout(() => wake(2), Math.max(0, at - performance.now()) + 1);
        typing();
    }
    // The picture of the page gives way to the canvas as soon as that shows the same.
    function reveal() {
        const state = JSON.parse(api.state());
        if (state.operations === 0 && (state.searching || state.status === 'none') && performance.now() < 4000) {
            if (!state.message) return wake(1);
        }
        shown = true;
        canvas.hidden = false;
        first.hidden = true;
        canvas.focus({preventScroll: true});
        readyDone();
    }
    function resize() { api.resize(Math.max(window.innerWidth, 200), Math.max(window.innerHeight, 200)); }

    // ---- the search in its workers -------------------------------------------------------------------------------
    // Made when first needed; which of them count, and for what, the module knows.
    const workers = [];
    let searching = 0;
    function makeWorker(k) {
        const worker = new Worker('search.js');
        worker.onmessage = ({data}) => {
            if (data.kind === 'progress')
                api.progress(data.search, data.seconds, data.events, data.work, data.nodes, k);
            else if (data.kind === 'result')
                api.searchResult(data.search, data.seconds, data.result, data.last ? 1 : 0, k);
            else if (data.kind === 'proof')
                api.proof(data.search, data.what, data.text);
            else
                api.searchFailed(data.search, data.words, k);
            if (data.ended) dismiss(k);
            if (data.last || data.kind === 'proof' || data.kind === 'failed') wake(2);
            else wakeForNews();
        };
        worker.onerror = (event) => {
            if (event.preventDefault) event.preventDefault();
            workers[k] = null;
            api.searchFailed(searching, 'the search module did not load; is search.js beside this page?', k);
            wake(2);
        };
        return worker;
    }
    function dismiss(k) {
        if (workers[k]) workers[k].terminate();
        workers[k] = null;
    }
    function start(action) {
        searching = Number(action.name);
        const courses = action.more.split('\n');
        for (let k = courses.length; k < workers.length; ++k) dismiss(k);
        courses.forEach((options, k) => {
            if (!workers[k]) workers[k] = makeWorker(k);
            workers[k].postMessage({kind: 'start', search: searching, problem: action.text, options});
        });
    }
    // To one, or to all.
    function tell({kind, name}) {
        workers.forEach((worker, k) => { if (worker && (name === '' || Number(name) === k)) worker.postMessage({kind}); });
    }

    // ---- the checker of proofs in its own: another module, which knows nothing of the search -------------------------
    let checker = null;
    const checks = new Set();
    function stopChecker() {
        if (checker) checker.terminate();
        checker = null;
        checks.clear();
    }
    function check(action) {
        const answered = (id, seconds, answer, failed) => {
            if (!checks.delete(id)) return;
            api.checked(id, seconds, answer, failed);
            wake(2);
        };
        if (!checker) {
            checker = new Worker('check.js');
            checker.onmessage = ({data}) => {
                answered(data.check, data.seconds || 0, data.answer || '', data.failed || '');
                if (data.failed) stopChecker();
            };
            checker.onerror = (event) => {
                if (event.preventDefault) event.preventDefault();
                const lost = [...checks];
                lost.forEach((id) => answered(id, 0, '', 'the checker did not load; is check.js beside this page?'));
                stopChecker();
            };
        }
        const id = Number(action.name);
        checks.add(id);
        checker.postMessage({check: id, proof: action.text, problem: action.more});
    }

    // ---- what the module asks for ----------------------------------------------------------------------------------
    function address(fragment) { return location.href.split('#')[0] + '#' + fragment; }
    function save(name, blob) {
        const anchor = document.createElement('a');
        anchor.href = URL.createObjectURL(blob);
        anchor.download = name;
        document.body.append(anchor);
        anchor.click();
        anchor.remove();
        setTimeout(() => URL.revokeObjectURL(anchor.href), 30000);
        notice('Saved ' + name);
    }
    function notice(words) {
        api.notice(words);
        live.textContent = words;
        wake(2);
    }
    function picture(action) {
        const image = new Image();
        const source = URL.createObjectURL(new Blob([action.text], {type: 'image/svg+xml'}));
        image.onload = () => {
            const target = document.createElement('canvas');
            target.width = image.width * 2;
            target.height = image.height * 2;
            const context = target.getContext('2d');
            context.fillStyle = '#ffffff';
            context.fillRect(0, 0, target.width, target.height);
            context.drawImage(image, 0, 0, target.width, target.height);
            URL.revokeObjectURL(source);
            target.toBlob((blob) => blob ? save(action.name, blob) : notice('The picture is too large for a PNG'));
        };
        image.onerror = () => notice('The picture could not be drawn');
        image.src = source;
    }
    function copy(text, what) {
        const fallback = () => {
            const dialog = document.getElementById('link-dialog');
            const field = document.getElementById('link-text');
            field.value = text;
            dialog.showModal();
            field.select();
        };
        if (!navigator.clipboard) return fallback();
        navigator.clipboard.writeText(text).then(() => notice(what), fallback);
    }
    function print(svg) {
        let box = document.getElementById('print');
        if (!box) {
            box = document.createElement('div');
            box.id = 'print';
            document.body.append(box);
        }
        box.replaceChildren();
        if (svg) box.append(document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true));
        window.print();
    }
    const doers = {
        start,
        stop: tell,
        pause: tell,
        resume: tell,
        dismiss: (action) => dismiss(Number(action.name)),
        prove: ({name, text, type}) => {
            if (workers[type]) workers[type].postMessage({kind: 'prove', search: Number(name), what: text});
            else api.proof(Number(name), text, 'the search that found this is gone: search again');
        },
        check,
        uncheck: () => { if (checks.size > 0) stopChecker(); },
        copy: (action) => copy(address(action.text), 'Link copied'),
        clipboard: (action) => copy(action.text, 'Copied'),
        save: (action) => save(action.name, new Blob([action.text], {type: action.type})),
        png: picture,
        pick: () => document.getElementById('file').click(),
        print: (action) => print(action.text),
        link: (action) => {
            lastLink = action.text;
            const method = action.push && shown ? 'pushState' : 'replaceState';
            history[method](null, '', '#' + action.text);
            describe();
        },
        prefer: (action) => { try { localStorage.setItem('repetend.' + action.name, action.text); } catch { /* private mode */ } },
        say: (action) => {
            live.textContent = action.text;
            describe();
        },
    };
    function act() {
        for (let text = api.actions(); text; text = api.actions())
            for (const action of JSON.parse(text)) if (doers[action.kind]) doers[action.kind](action);
    }
    // The result for those who do not see the canvas.
    function describe() {
        const state = JSON.parse(api.state());
        document.title = (state.title || state.name || 'schedule') + ' - Repetend';
        const body = document.getElementById('results');
        body.replaceChildren(...JSON.parse(api.table()).map(([name, value]) => {
            const row = document.createElement('tr');
            const head = document.createElement('th');
            head.scope = 'row';
            head.textContent = name;
            const cell = document.createElement('td');
            cell.textContent = value;
            row.append(head, cell);
            return row;
        }));
    }

    // ---- input -------------------------------------------------------------------------------------------------
    // GLFW hears mouse and keys at the canvas and the window. Fingers, wheels and text from elsewhere come from here.
    const finger = {down: 0, moves: 1, up: 2, cancelled: 3};
    const touches = new Map();
    let pinch = null, pressTimer = 0, touching = false;
    function pointerDown(event) {
        canvas.focus({preventScroll: true});
        canvas.setPointerCapture(event.pointerId);
        if (event.pointerType !== 'touch') return;
        event.preventDefault();  // no mouse events after it
        touches.set(event.pointerId, event);
        clearTimeout(pressTimer);
        if (touches.size === 2) {
            // The first finger was no click.
            if (touching) api.finger(0, 0, finger.cancelled);
            touching = false;
            pinch = spread();
            return;
        }
        if (touches.size > 2) return;
        const {clientX, clientY} = event;
        pressTimer = setTimeout(() => api.longPress(clientX, clientY), 550);
        api.finger(clientX, clientY, finger.down);
        touching = true;
    }
    function spread() {
        const [a, b] = [...touches.values()];
        return {
            distance: Math.max(Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), 1),
            x: (a.clientX + b.clientX) / 2,
            y: (a.clientY + b.clientY) / 2,
        };
    }
    function pointerMove(event) {
        const before = touches.get(event.pointerId);
        if (!before) return;
        if (Math.hypot(before.clientX - event.clientX, before.clientY - event.clientY) > 6) clearTimeout(pressTimer);
        touches.set(event.pointerId, event);
        if (pinch && touches.size === 2) {
            const now = spread();
            api.pinch(now.distance / pinch.distance, now.x, now.y, now.x - pinch.x, now.y - pinch.y);
            pinch = now;
        } else if (!pinch) {
            api.finger(event.clientX, event.clientY, finger.moves);
        }
    }
    function pointerUp(event) {
        clearTimeout(pressTimer);
        if (!touches.delete(event.pointerId)) return;
        if (pinch) {
            if (touches.size === 0) pinch = null;
        } else if (touching) {
            api.finger(event.clientX, event.clientY, event.type === 'pointercancel' ? finger.cancelled : finger.up);
            touching = false;
        }
    }
    // Not by GLFW, which rounds to whole steps and so makes trackpads jump.
    function wheel(event) {
        if (event.target !== canvas) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1;
        if (event.ctrlKey)  // a pinch on a trackpad
            api.pinch(Math.exp(-event.deltaY * unit / 150), event.clientX, event.clientY, 0, 0);
        else
            api.wheel(event.clientX, event.clientY, -event.deltaX * unit / 100, -event.deltaY * unit / 100);
    }
    // What a key is for. GLFW takes every key of the page, and Tab and Backspace from the browser: what is meant for
    // others must not reach it. Releases do, or keys would stick.
    function browsersOwn(event) {
        return (event.ctrlKey || event.metaKey) && (event.shiftKey ? /^[abd-y]$/i : /^[wtnlr]$/i).test(event.key);
    }
    function meantForCanvas(event) {
        if (event.isComposing || document.querySelector('dialog[open]') || browsersOwn(event)) return false;
        if (document.activeElement && document.activeElement.tagName === 'BUTTON') return false;
        if (event.type === 'keypress') return document.activeElement !== keyboard;  // its text comes as input
        return event.key !== 'Tab' || api.wantsText();
    }
    function guardKeys() {
        for (const type of ['keydown', 'keypress'])
            window.addEventListener(type, (event) => { if (!api || !meantForCanvas(event)) event.stopImmediatePropagation(); }, true);
        for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'])
            window.addEventListener(type, (event) => { if (event.target === canvas) event.stopImmediatePropagation(); }, {capture: true, passive: true});
    }
    // Screen keyboards need a field of the page.
    function typing() {
        if (!touchScreen) return;
        if (api.wantsText() && document.activeElement !== keyboard) {
            keyboard.value = '';
            keyboard.focus({preventScroll: true});
        } else if (!api.wantsText() && document.activeElement === keyboard) {
            canvas.focus({preventScroll: true});
        }
    }
    function load(text, name) {
        try {
            return api.load(text, name);
        } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            notice(name + ' is larger than the memory that the browser gives to this page');
            return error.message;
        } finally {
            wake(3);
        }
    }
    // A packed file (`prove --gzip`) is unpacked, as far as a file may be long.
    async function textOf(file) {
        const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
        if (start[0] !== 0x1f || start[1] !== 0x8b || typeof DecompressionStream !== 'function') return file.text();
        const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
        const decoder = new TextDecoder();
        let text = '', size = 0;
        try {
            for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
                size += piece.value.length;
                if (size > largestFile) throw new RangeError('it is longer than 64 MB when unpacked');
                text += decoder.decode(piece.value, {stream: true});
            }
        } catch (error) {
            notice(file.name + ' cannot be unpacked: ' + error.message);
            return '';
        }
        return text + decoder.decode();
    }
    async function readFiles(files) {
        for (const file of files) {
            if (file.size > largestFile) notice(file.name + ' is larger than 64 MB: use the command line for it');
            else {
                const text = await textOf(file);
                if (text || file.size === 0) load(text, file.name);
            }
        }
    }
    function listen() {
        canvas.addEventListener('pointerdown', pointerDown);
        canvas.addEventListener('pointermove', pointerMove);
        canvas.addEventListener('pointerup', pointerUp);
        canvas.addEventListener('pointercancel', pointerUp);
        canvas.addEventListener('mousedown', (event) => event.preventDefault());  // no selection, no scrolling by the middle button
        canvas.addEventListener('contextmenu', (event) => event.preventDefault());
        window.addEventListener('wheel', wheel, {capture: true, passive: false});
        canvas.addEventListener('webglcontextlost', (event) => {
            event.preventDefault();
            giveUp('The browser took the graphics context away. Reload the page: the address keeps what you see.');
        });
        // After GLFW has heard it.
        for (const type of ['keydown', 'keypress'])
            window.addEventListener(type, (event) => { if (api.handled()) event.preventDefault(); }, true);
        keyboard.addEventListener('input', (event) => {
            if (event.inputType === 'deleteContentBackward') api.erase();
            else if (event.data) api.text(event.data);
        });
        window.addEventListener('blur', () => api.leave());
        window.addEventListener('resize', resize);
        window.addEventListener('paste', (event) => {
            const text = event.clipboardData ? event.clipboardData.getData('text/plain') : '';
            if (!text) return;
            if (api.wantsText()) api.text(text);
            else load(text, 'The pasted text');
            event.preventDefault();
        });
        window.addEventListener('dragover', (event) => event.preventDefault());
        window.addEventListener('drop', (event) => {
            event.preventDefault();
            if (event.dataTransfer.files.length > 0) readFiles(event.dataTransfer.files);
            else if (event.dataTransfer.getData('text/plain')) load(event.dataTransfer.getData('text/plain'), 'The dropped text');
        });
        const file = document.getElementById('file');
        file.addEventListener('change', () => { readFiles(file.files).then(() => { file.value = ''; }); });
        window.addEventListener('popstate', () => {
            const wanted = location.hash.slice(1);
            if (wanted === lastLink) return;
            lastLink = wanted;
            api.open(wanted, 0);
            wake(3);
        });
        window.addEventListener('visibilitychange', () => wake(3));
        document.getElementById('link-copy').addEventListener('click', () => {
            document.getElementById('link-text').select();
            document.execCommand('copy');
            document.getElementById('link-dialog').close();
            notice('Link copied');
        });
        for (const query of Object.values(schemes)) query.addEventListener('change', prefer);
        const actions = document.getElementById('actions');
        for (const [id, words] of [['search', 'Search or stop'], ['play', 'Play or pause'], ['share', 'Copy link'],
            ['gallery', 'Presets'], ['palette', 'All commands'], ['export-result', 'Save the result'],
            ['prove', 'Check the proof'], ['export-proof', 'Save the proof of the period']]) {
            const button = document.createElement('button');
            button.textContent = words;
            button.addEventListener('click', () => { api.command(id); wake(4); });
            actions.append(button);
        }
    }
    function prefer() {
        const kept = (name, none) => {
            try { return Number(localStorage.getItem('repetend.' + name) ?? none); } catch { return none; /* private mode */ }
        };
        api.prefer(schemes.dark.matches ? 1 : 0, schemes.contrast.matches ? 1 : 0, schemes.still.matches ? 1 : 0,
            kept('theme', -1), kept('workers', 0));
        wake(3);
    }

    // ---- start ---------------------------------------------------------------------------------------------------
    function bind(loaded) {
        const n = 'number', s = 'string';
        // Texts go through the heap: files and results are larger than any stack.
        const hold = (text) => {
            const size = loaded.lengthBytesUTF8(text) + 1;
            const at = loaded._malloc(size);
            if (at === 0) throw new RangeError('no memory for a text of ' + size + ' bytes');
            loaded.stringToUTF8(text, at, size);
            return at;
        };
        const wrap = (name, result, ...types) => (...values) => {
            const held = [];
            try {
                const plain = values.map((value, k) => {
                    if (types[k] !== s) return value;
                    held.push(hold(String(value)));
                    return held[held.length - 1];
                });
                const answer = loaded['_page_' + name](...plain);
                return result === s ? loaded.UTF8ToString(answer) : answer;
            } finally {
                held.forEach((at) => loaded._free(at));
            }
        };
        return {
            start: wrap('start', n, n, n, n), resize: wrap('resize', null, n, n), frame: wrap('frame', n, n),
            wake: wrap('wake', null, n), wakeAt: wrap('wake_at', n), prefer: wrap('prefer', null, n, n, n, n, n),
            finger: wrap('finger', null, n, n, n), leave: wrap('leave', null), wheel: wrap('wheel', null, n, n, n, n),
            pinch: wrap('pinch', null, n, n, n, n, n), longPress: wrap('long_press', null, n, n),
            handled: wrap('handled', n), text: wrap('text', null, s), erase: wrap('erase', null),
            wantsText: wrap('wants_text', n), open: wrap('open', s, s, n), load: wrap('load', s, s, s),
            search: wrap('search', s, s), stop: wrap('stop', null), state: wrap('state', s), result: wrap('result', s),
            command: wrap('command', n, s), items: wrap('items', s), table: wrap('table', s), notice: wrap('notice', null, s),
            whyIdle: wrap('why_idle', s, n, n), facts: wrap('facts', s, n, n), gallery: wrap('gallery', null, s),
            tour: wrap('tour', s, s), actions: wrap('actions', s), progress: wrap('progress', null, n, n, s, n, n, n),
            searchResult: wrap('search_result', null, n, n, s, n, n), searchFailed: wrap('search_failed', null, n, s, n),
            proof: wrap('proof', null, n, s, s), checked: wrap('checked', null, n, n, s, s),
            proofText: wrap('proof_text', s, s),
            cost: wrap('frame_cost', n), byShader: wrap('draws_by_shader', n), refuseShaders: wrap('refuse_shaders', null),
        };
    }
    async function extras() {
        try {
            api.gallery(await (await fetch('gallery.txt')).text());
            for (const tour of await (await fetch('tours.json')).json()) api.tour(JSON.stringify(tour));
            wake(2);
        } catch { /* the page is complete without small pictures and tours */ }
    }
    window.repetend = {
        ready,
        state: () => api ? api.state() : '{}',
        open: (fragment) => { const words = api.open(String(fragment), 1); wake(3); return words; },
        load: (text) => load(String(text), ''),
        search: (options) => {
            const words = api.search(options === undefined ? '' : typeof options === 'string' ? options : JSON.stringify(options));
            wake(3);
            return words;
        },
        stop: () => { api.stop(); act(); wake(3); },  // not only after the next frame
        result: () => (api && api.result()) || null,
        proof: (what) => api.proofText(what === undefined ? 'period' : String(what)) || null,
        // Beyond the contract, for tests and tinkering.
        command: (id) => { const known = api.command(id) === 1; wake(3); return known; },
        items: () => JSON.parse(api.items()),
        whyIdle: (device, tick) => api.whyIdle(device, tick),
        facts: (block, microBatch) => JSON.parse(api.facts(block, microBatch)),
        frames: () => drawn,
        frameCost: () => api.cost(),
        drawsByShader: () => api.byShader() === 1,
        refuseShaders: () => { api.refuseShaders(); wake(2); },
        typing: () => api.wantsText() === 1,
    };
    if (typeof WebAssembly !== 'object' || typeof createPage !== 'function') {
        return trouble(location.protocol === 'file:' ? 'Please serve this folder over http (for example: repetend serve).'
            : 'This browser has no WebAssembly, which the explorer needs. The picture above is a schedule that it found.');
    }
    document.getElementById('loading').textContent = 'loading';
    // GLFW would ask for the context without these.
    const context = canvas.getContext('webgl2', {antialias: false, alpha: false, depth: false, stencil: false,
        preserveDrawingBuffer: true});  // for pictures of the page
    if (!context)
        return trouble('This browser gives the page no WebGL 2, which the explorer draws with. The picture above is a schedule that it found; the command line program does the same without a browser.');
    guardKeys();
    answerAtOnce(context);
    createPage({canvas, preinitializedWebGLContext: context, wantFrame: schedule, print: () => {},
        onAbort: () => giveUp('The explorer ran out of memory. Reload the page: the address keeps what you saw.'),
        printErr: (words) => console.warn(words)}).then((loaded) => {
        module = loaded;
        const bound = bind(module);
        if (bound.start(window.innerWidth, window.innerHeight, touchScreen ? 1 : 0) !== 0)
            return trouble('This browser gives the page no WebGL 2, which the explorer draws with.');
        api = bound;
        listen();
        prefer();
        resize();
        const wanted = location.hash.slice(1);
        const words = api.open(wanted, 0);
        if (words) console.warn(words);
        document.getElementById('loading').textContent = '';
        wake(3);
        extras();
    }).catch((error) => trouble(location.protocol === 'file:' ? 'Please serve this folder over http (for example: repetend serve).'
        : 'The explorer could not be loaded: ' + error));
})();
