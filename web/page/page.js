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
    let scheduled = false, hotFrames = 0, hotUntil = 0, timer = 0, drawn = 0, shown = false, lastLink = '';
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

    // ---- frames ------------------------------------------------------------------------------------------------
    function wake(frames = 3) {
        hotFrames = Math.max(hotFrames, frames);
        if (!scheduled && api) {
            scheduled = true;
            requestAnimationFrame(frame);
        }
    }
    function frame(now) {
        scheduled = false;
        hotFrames -= 1;
        const moving = api.frame(now);
        drawn += 1;
        act();
        if (!shown) reveal();
        if (moving || hotFrames > 0 || now < hotUntil) return wake(1);
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
    function resize() {
        const dpr = Math.min(Math.max(window.devicePixelRatio || 1, 0.5), 4);
        const width = Math.max(window.innerWidth, 200), height = Math.max(window.innerHeight, 200);
        canvas.width = Math.round(width * dpr);
        canvas.height = Math.round(height * dpr);
        api.resize(width, height, dpr);
        wake(3);
    }

    // ---- the search in its worker --------------------------------------------------------------------------------
    let worker = null, searching = 0, restart = null;
    function startWorker() {
        worker = new Worker('search.js');
        worker.onmessage = (event) => {
            const message = event.data;
            if (message.kind === 'progress')
                api.progress(message.search, message.seconds, message.events, message.work, message.nodes);
            else if (message.kind === 'result')
                api.searchResult(message.search, message.seconds, message.result, message.last ? 1 : 0);
            else
                api.searchFailed(message.search, message.words);
            if (message.last) searching = 0;
            wake(2);
        };
        worker.onerror = (event) => {
            if (event.preventDefault) event.preventDefault();
            worker = null;
            api.searchFailed(searching || restart || 0, 'the search module did not load; is search.js beside this page?');
            wake(2);
        };
    }
    function start(action) {
        if (!worker) startWorker();
        searching = Number(action.name);
        restart = searching;
        worker.postMessage({kind: 'start', search: searching, problem: action.text, options: action.more});
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
        stop: () => worker && worker.postMessage({kind: 'stop'}),
        pause: () => worker && worker.postMessage({kind: 'pause'}),
        resume: () => worker && worker.postMessage({kind: 'resume'}),
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
    const touches = new Map();
    let pinch = null, pressTimer = 0, mouseDown = false;
    function linger() { hotUntil = performance.now() + 450; }
    function pointerDown(event) {
        event.preventDefault();
        canvas.focus({preventScroll: true});
        canvas.setPointerCapture(event.pointerId);
        if (event.pointerType === 'touch') {
            touches.set(event.pointerId, event);
            clearTimeout(pressTimer);
            if (touches.size === 2) {
                // The first finger was no click.
                if (mouseDown) {
                    api.pointer(-1e6, -1e6, 1);
                    api.button(0, 0);
                    mouseDown = false;
                }
                pinch = spread();
                return wake(4);
            }
            if (touches.size > 2) return;
            const {clientX, clientY} = event;
            pressTimer = setTimeout(() => { api.longPress(clientX, clientY); hotUntil = performance.now() + 3200; wake(3); }, 550);
        }
        api.pointer(event.clientX, event.clientY, 1);
        api.button(event.button === 2 ? 1 : 0, 1);
        mouseDown = true;
        wake(4);
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
        if (event.pointerType === 'touch') {
            const before = touches.get(event.pointerId);
            if (before && Math.hypot(before.clientX - event.clientX, before.clientY - event.clientY) > 6) clearTimeout(pressTimer);
            if (before) touches.set(event.pointerId, event);
            if (pinch && touches.size === 2) {
                const now = spread();
                api.pinch(now.distance / pinch.distance, now.x, now.y, now.x - pinch.x, now.y - pinch.y);
                pinch = now;
                return wake(2);
            }
            if (pinch) return;
        }
        api.pointer(event.clientX, event.clientY, 1);
        linger();
        wake(3);
    }
    function pointerUp(event) {
        clearTimeout(pressTimer);
        touches.delete(event.pointerId);
        if (pinch) {
            if (touches.size === 0) pinch = null;
            return wake(3);
        }
        if (event.type !== 'pointercancel') api.pointer(event.clientX, event.clientY, 1);
        api.button(event.button === 2 ? 1 : 0, 0);
        mouseDown = false;
        if (event.pointerType === 'touch') api.pointer(0, 0, 0);
        hotUntil = performance.now() + (event.pointerType === 'touch' ? 3200 : 450);
        wake(6);
    }
    function wheel(event) {
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1;
        api.pointer(event.clientX, event.clientY, 1);
        if (event.ctrlKey)  // a pinch on a trackpad
            api.pinch(Math.exp(-event.deltaY * unit / 150), event.clientX, event.clientY, 0, 0);
        else
            api.wheel(-event.deltaX * unit / 100, -event.deltaY * unit / 100);
        wake(4);
    }
    function combination(event) {
        const key = event.key === ' ' ? 'Space' : event.key;
        if (['Control', 'Shift', 'Alt', 'Meta'].includes(key)) return '';
        const control = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
        const letter = /^[a-z]$/i.test(key);
        const shift = event.shiftKey && (letter || key.length > 1) ? 'Shift+' : '';
        return control + (event.altKey ? 'Alt+' : '') + shift +
            (letter ? (control ? key.toLowerCase() : event.shiftKey ? key.toUpperCase() : key.toLowerCase()) : key);
    }
    const browserKeys = /^Ctrl\+(w|t|n|l|r|Shift\+[a-z])$|^F(5|11|12)$/;
    function key(event, down) {
        if (event.isComposing || document.querySelector('dialog[open]')) return;
        const pressed = combination(event);
        if (browserKeys.test(pressed) && pressed !== 'Ctrl+Shift+z' && pressed !== 'Ctrl+Shift+c') return;
        const inButton = document.activeElement && document.activeElement.tagName === 'BUTTON';
        if (inButton) return;
        const typingNow = api.wantsText();
        if (pressed === 'Tab' && !typingNow) return;
        const taken = api.key(event.key, pressed, down ? 1 : 0, event.ctrlKey || event.metaKey ? 1 : 0, event.shiftKey ? 1 : 0,
            event.altKey ? 1 : 0);
        if (down && (typingNow || api.wantsText()) && event.key.length === 1 && !event.ctrlKey && !event.metaKey &&
            document.activeElement !== keyboard)
            api.text(event.key);
        if (taken) event.preventDefault();
        wake(4);
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
        const words = api.load(text, name);
        wake(3);
        return words;
    }
    async function readFiles(files) {
        for (const file of files) {
            if (file.size > largestFile) notice(file.name + ' is larger than 64 MB: use the command line for it');
            else load(await file.text(), file.name);
        }
    }
    function listen() {
        canvas.addEventListener('pointerdown', pointerDown);
        canvas.addEventListener('pointermove', pointerMove);
        canvas.addEventListener('pointerup', pointerUp);
        canvas.addEventListener('pointercancel', pointerUp);
        canvas.addEventListener('pointerleave', (event) => {
            if (event.buttons === 0) api.pointer(0, 0, 0);
            wake(3);
        });
        canvas.addEventListener('contextmenu', (event) => event.preventDefault());
        canvas.addEventListener('wheel', wheel, {passive: false});
        canvas.addEventListener('webglcontextlost', (event) => {
            event.preventDefault();
            canvas.hidden = true;
            trouble('The browser took the graphics context away. Reload the page: the address keeps what you see.');
        });
        window.addEventListener('keydown', (event) => key(event, true));
        window.addEventListener('keyup', (event) => key(event, false));
        keyboard.addEventListener('input', (event) => {
            if (event.inputType === 'deleteContentBackward') {
                api.key('Backspace', 'Backspace', 1, 0, 0, 0);
                api.key('Backspace', 'Backspace', 0, 0, 0, 0);
            } else if (event.data) {
                api.text(event.data);
            }
            wake(4);
        });
        window.addEventListener('blur', () => { api.pointer(0, 0, 0); wake(2); });
        window.addEventListener('resize', resize);
        window.addEventListener('paste', (event) => {
            const text = event.clipboardData ? event.clipboardData.getData('text/plain') : '';
            if (!text) return;
            if (api.wantsText()) api.text(text);
            else load(text, 'The pasted text');
            event.preventDefault();
            wake(4);
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
            ['gallery', 'Presets'], ['palette', 'All commands'], ['export-result', 'Save the result']]) {
            const button = document.createElement('button');
            button.textContent = words;
            button.addEventListener('click', () => { api.command(id); wake(4); });
            actions.append(button);
        }
    }
    function prefer() {
        let theme = -1;
        try { theme = Number(localStorage.getItem('repetend.theme') ?? -1); } catch { /* private mode */ }
        api.prefer(schemes.dark.matches ? 1 : 0, schemes.contrast.matches ? 1 : 0, schemes.still.matches ? 1 : 0, theme);
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
            start: wrap('start', n, n, n, n, n), resize: wrap('resize', null, n, n, n), frame: wrap('frame', n, n),
            wakeAt: wrap('wake_at', n), prefer: wrap('prefer', null, n, n, n, n), pointer: wrap('pointer', null, n, n, n),
            button: wrap('button', null, n, n), wheel: wrap('wheel', null, n, n), pinch: wrap('pinch', null, n, n, n, n, n),
            longPress: wrap('long_press', null, n, n), key: wrap('key', n, s, s, n, n, n, n), text: wrap('text', null, s),
            wantsText: wrap('wants_text', n), open: wrap('open', s, s, n), load: wrap('load', s, s, s),
            search: wrap('search', s, s), stop: wrap('stop', null), state: wrap('state', s), result: wrap('result', s),
            command: wrap('command', n, s), items: wrap('items', s), table: wrap('table', s), notice: wrap('notice', null, s),
            whyIdle: wrap('why_idle', s, n, n), facts: wrap('facts', s, n, n), gallery: wrap('gallery', null, s),
            tour: wrap('tour', s, s), actions: wrap('actions', s), progress: wrap('progress', null, n, n, s, n, n),
            searchResult: wrap('search_result', null, n, n, s, n), searchFailed: wrap('search_failed', null, n, s),
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
        stop: () => { api.stop(); wake(3); },
        result: () => (api && api.result()) || null,
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
    createPage({canvas, print: () => {}, printErr: (words) => console.warn(words)}).then((loaded) => {
        module = loaded;
        const bound = bind(module);
        if (bound.start(window.innerWidth, window.innerHeight, window.devicePixelRatio || 1, touchScreen ? 1 : 0) !== 0)
            return trouble('This browser gives the page no WebGL 2, which the explorer draws with. The picture above is a schedule that it found; the command line program does the same without a browser.');
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
