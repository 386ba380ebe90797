// What browser tests share: a static server, the system's Chromium, the page and its state. Tests poll state, never sleep.
'use strict';
const fs = require('fs');
const http = require('http');
const path = require('path');

const types = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css',
    '.svg': 'image/svg+xml', '.json': 'application/json', '.txt': 'text/plain; charset=utf-8'};

// Serves `folder` below `prefix`; names in `missing` answer 404.
function serve(folder, prefix = '/', missing = []) {
    return new Promise((resolve) => {
        const server = http.createServer((request, response) => {
            const wanted = decodeURIComponent(request.url.split('?')[0]);
            const name = wanted.startsWith(prefix) ? wanted.slice(prefix.length) || 'index.html' : '';
            const file = path.join(folder, path.normalize('/' + name));
            if (!name || missing.includes(name) || !fs.existsSync(file)) {
                response.writeHead(404);
                return response.end('not found');
            }
            response.writeHead(200, {'content-type': types[path.extname(file)] || 'application/octet-stream'});
            fs.createReadStream(file).pipe(response);
        });
        server.listen(0, '127.0.0.1', () => resolve({
            address: `http://127.0.0.1:${server.address().port}${prefix}`,
            close: () => server.close(),
        }));
    });
}

function launch(playwright) {
    const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(fs.existsSync);
    return playwright.chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update',
            '--disable-sync', '--disable-quic', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
}

class Explorer {
    constructor(page) {
        this.page = page;
        this.errors = [];
        page.on('pageerror', (error) => this.errors.push(String(error)));
        page.on('console', (message) => { if (message.type() === 'error') this.errors.push(message.text()); });
    }
    async open(address) {
        await this.page.goto(address);
        await this.page.waitForFunction(() => window.repetend !== undefined);
        await this.page.evaluate(() => window.repetend.ready);
    }
    state() { return this.page.evaluate(() => JSON.parse(window.repetend.state())); }
    // Until `condition` holds of the state.
    async until(condition, what, timeout = 30000) {
        const end = Date.now() + timeout;
        for (;;) {
            const state = await this.state();
            if (condition(state)) return state;
            if (Date.now() > end)
                throw new Error(`waited in vain for: ${what || condition}; state: ${JSON.stringify(state).slice(0, 900)}`);
            await new Promise((resolve) => setTimeout(resolve, 40));
        }
    }
    settled() { return this.until((state) => !state.searching && state.status !== 'none', 'a settled search'); }
    // Until the address bar says what is shown: it follows a little later, and Back returns to what it said.
    addressed() {
        return this.page.waitForFunction(() => location.hash === '#' + JSON.parse(window.repetend.state()).link, null,
            {timeout: 30000, polling: 40});
    }
    run(name, ...values) {
        return this.page.evaluate(([call, list]) => window.repetend[call](...list), [name, values]);
    }
    // Waits until the widget has been drawn.
    async item(id) {
        await this.page.waitForFunction((name) => window.repetend.items()[name] !== undefined, id, {timeout: 10000, polling: 50});
        return this.page.evaluate((name) => window.repetend.items()[name], id);
    }
    // What has just been opened takes a few frames to find its layout: where the item stays is where to press.
    async click(id) {
        let found = await this.item(id);
        for (let before = null; JSON.stringify(found) !== JSON.stringify(before); found = await this.item(id)) {
            before = found;
            const frames = await this.run('frames');
            const [x, y, width, height] = found;
            await this.page.mouse.move(x + width / 2, y + height / 2);
            await this.drawn(frames + 2);
        }
        await this.press();
    }
    drawn(frames) {
        return this.page.waitForFunction((least) => window.repetend.frames() >= least, frames, {polling: 20});
    }
    // A press long enough for the slowest frame.
    async press() {
        const frames = await this.run('frames');
        await this.page.mouse.down();
        await this.drawn(frames + 2);
        await this.page.mouse.up();
    }
    async type(id, text) {
        await this.click(id);
        await this.page.waitForFunction(() => window.repetend.typing(), null, {timeout: 10000, polling: 20});
        await this.page.keyboard.press('Control+a', {delay: 60});
        await this.page.keyboard.type(text, {delay: 60});
    }
}

module.exports = {serve, launch, Explorer};
