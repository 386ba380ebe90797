// Drives the worker's module as the page does: start, steps, events, result.
//   node engine_worker_test.cjs ENGINE_WORKER.js REPOSITORY RESULTS.xml
'use strict';
const fs = require('fs');
const path = require('path');

const [modulePath, repository, resultsPath] = process.argv.slice(2);
const counts = {passed: 0, failed: 0};

function test(name, body) {
    try {
        body();
        counts.passed += 1;
    } catch (error) {
        counts.failed += 1;
        console.error(`FAILED: ${name}: ${error.message}`);
    }
}

function equal(actual, expected, what) {
    if (actual !== expected) throw new Error(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

function interfaceOf(module) {
    const text = 'string', number = 'number';
    return {
        create: module.cwrap('engine_create', number, []),
        free: module.cwrap('engine_free', null, [number]),
        start: module.cwrap('engine_start', text, [number, text, text]),
        step: module.cwrap('engine_step', number, [number, number]),
        events: module.cwrap('engine_events', text, [number]),
        result: module.cwrap('engine_result', text, [number, number]),
        stop: module.cwrap('engine_stop', null, [number, text]),
    };
}

// One device, two blocks: nothing but the sum of their times.
const small = JSON.stringify({
    format: 'repetend.problem',
    version: 1,
    devices: [{name: 'gpu', memory_capacity: 2}],
    blocks: [
        {name: 'f', kind: 'forward', devices: [0], time: 2, memory: 1},
        {name: 'b', kind: 'backward', devices: [0], time: 3, memory: -1},
    ],
    dependencies: [{from: 'f', to: 'b'}],
});

require(path.resolve(modulePath))().then((module) => {
    const api = interfaceOf(module);

    test('a small problem is solved with proof', () => {
        const engine = api.create();
        equal(api.start(engine, small, '{"micro_batches": 4}'), '', 'the answer to start');
        while (api.step(engine, 1000)) {}
        const result = JSON.parse(api.result(engine, 0));
        equal(result.status, 'optimal', 'status');
        equal(result.period, 5, 'period');
        equal(result.makespan, 20, 'makespan');
        equal(JSON.parse(api.events(engine)).at(-1).kind, 'finished', 'the last event');
        api.free(engine);
    });

    test('a preset file is solved in slices, and stops when asked', () => {
        const engine = api.create();
        const problem = fs.readFileSync(path.join(repository, 'presets/problems/gpt-v100x4.json'), 'utf8');
        equal(api.start(engine, problem, '{"micro_batches": 128}'), '', 'the answer to start');
        for (let i = 0; i < 20 && api.step(engine, 20000); ++i) {}
        api.stop(engine, 'interrupted');
        equal(api.step(engine, 1000), 0, 'a step after the stop');
        const result = JSON.parse(api.result(engine, 0));
        equal(result.schedule.micro_batches, 128, 'micro-batches of the schedule');
        api.free(engine);
    });

    test('a bad problem is answered in words', () => {
        const engine = api.create();
        const answer = api.start(engine, small.replace('"devices":[0]', '"devices":[7]'), '');
        if (!answer.includes('device 7 does not exist')) throw new Error(`the answer is ${JSON.stringify(answer)}`);
        api.free(engine);
    });

    fs.writeFileSync(resultsPath,
        `<Results><OverallResultsCases successes="${counts.passed}" failures="${counts.failed}"/></Results>\n`);
    process.exit(counts.failed ? 1 : 0);
}).catch((error) => {
    console.error(error);
    process.exit(1);
});
