// Drives the worker's module as the page does: start, steps, events, result, proof; and the checker's with its proofs.
//   node engine_worker_test.cjs ENGINE_WORKER.js CHECKER.js CHECKER.map REPOSITORY RESULTS.xml
'use strict';
const fs = require('fs');
const path = require('path');

const [modulePath, checkerPath, mapPath, repository, resultsPath] = process.argv.slice(2);
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
        proof: module.cwrap('engine_proof', text, [number, text]),
        stop: module.cwrap('engine_stop', null, [number, text]),
    };
}

function checkerOf(module) {
    const hold = (text) => {
        const at = module._malloc(module.lengthBytesUTF8(text) + 1);
        module.stringToUTF8(text, at, module.lengthBytesUTF8(text) + 1);
        return at;
    };
    return (proof, problem = '') => {
        const held = [hold(proof), hold(problem)];
        const answer = module.UTF8ToString(module._checker_check(...held));
        held.forEach((at) => module._free(at));
        return answer;
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

// Twice down and up over four devices, with room for four: periods have to be refuted order by order.
function nn(capacity = 4) {
    const blocks = [{name: 'g0', kind: 'forward', devices: [0, 1, 2, 3], time: 1}];
    const dependencies = [];
    for (const half of ['e', 'd']) {
        for (let d = 0; d < 4; ++d) blocks.push({name: half + 'f' + d, kind: 'forward', devices: [d], time: 1, memory: 1});
        if (half === 'e') blocks.push({name: 'g1', kind: 'forward', devices: [0, 1, 2, 3], time: 1});
    }
    for (const half of ['d', 'e']) {
        for (let d = 3; d >= 0; --d) blocks.push({name: half + 'b' + d, kind: 'backward', devices: [d], time: 3, memory: -1});
        blocks.push({name: half === 'd' ? 'g2' : 'g3', kind: 'backward', devices: [0, 1, 2, 3], time: 1});
    }
    for (let k = 1; k < blocks.length; ++k) dependencies.push({from: blocks[k - 1].name, to: blocks[k].name});
    return JSON.stringify({format: 'repetend.problem', version: 1,
        devices: [0, 1, 2, 3].map(() => ({memory_capacity: capacity})), blocks, dependencies});
}

Promise.all([require(path.resolve(modulePath))(), require(path.resolve(checkerPath))()]).then(([module, checkerModule]) => {
    const api = interfaceOf(module);
    const check = checkerOf(checkerModule);
    const searched = (problem, options) => {
        const engine = api.create();
        equal(api.start(engine, problem, JSON.stringify(options)), '', 'the answer to start');
        while (api.step(engine, 1e6)) {}
        return engine;
    };

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

    test('a proof is written by one module and accepted by the other', () => {
        const engine = searched(nn(), {micro_batches: 6, objective: 'period'});
        const {period, makespan, makespan_optimal: least} = JSON.parse(api.result(engine, 0));
        const proof = api.proof(engine, 'period');
        equal(JSON.parse(proof).refutation.kind, 'clauses', 'the kind of the proof');
        const verdict = JSON.parse(check(proof, nn()));
        equal(verdict.valid, true, 'the verdict');
        equal(verdict.proof.period, period, 'the period');
        equal(verdict.proof.message.startsWith(`no schedule with an integer period below ${period} ticks exists`), true, 'the words');
        const other = api.proof(engine, 'makespan');
        if (least && other.startsWith('{')) equal(JSON.parse(check(other, nn())).proof.makespan, makespan, 'the makespan');
        else if (!/makespan/.test(other)) throw new Error('no words: ' + other);
        api.free(engine);
    });

    test('the proof of a makespan is written and accepted', () => {
        const engine = searched(small, {micro_batches: 4});
        const verdict = JSON.parse(check(api.proof(engine, 'makespan'), small));
        equal([verdict.valid, verdict.proof.makespan, verdict.proof.micro_batches].join(), 'true,20,4', 'the verdict');
        api.free(engine);
    });

    test('bent, cut and foreign proofs are refused in words', () => {
        const engine = searched(nn(), {micro_batches: 6});
        const proof = api.proof(engine, 'period');
        const relaxed = JSON.parse(proof);
        relaxed.problem.devices.forEach((device) => { device.memory_capacity = 8; });
        const verdict = JSON.parse(check(JSON.stringify(relaxed)));
        equal(verdict.valid, false, 'with more memory');
        equal(/^clause \d+/.test(verdict.violation.message), true, 'the words ' + verdict.violation.message);
        const dropped = JSON.parse(proof);
        dropped.refutation.clauses.splice(0, dropped.refutation.clauses.length - 1);
        dropped.refutation.clauses[0][1] = [];
        equal(JSON.parse(check(JSON.stringify(dropped))).valid, false, 'with its clauses dropped');
        equal(check(proof.slice(0, proof.length / 2)).startsWith('{'), false, 'a cut text is no verdict');
        equal(JSON.parse(check(proof, nn(5))).proof.message, 'the proof holds, but for another problem than the one that is shown',
            'against another problem');
        api.free(engine);
    });

    test('where there is no proof, words say why', () => {
        const engine = api.create();
        equal(api.proof(engine, 'period'), 'nothing was searched', 'before any search');
        equal(api.start(engine, nn(), '{"micro_batches": 6}'), '', 'the answer to start');
        equal(api.proof(engine, 'period').startsWith('no period was proved least before the search was stopped'), true, 'the words');
        api.free(engine);
    });

    test('the checker holds nothing of the search', () => {
        const rooms = new Set([...fs.readFileSync(mapPath, 'utf8').matchAll(/librepetend_([a-z]+)\.a/g)].map((found) => found[1]));
        equal([...rooms].sort().join(), 'format,model,schedule,verify', 'the rooms in the module');
    });

    fs.writeFileSync(resultsPath,
        `<Results><OverallResultsCases successes="${counts.passed}" failures="${counts.failed}"/></Results>\n`);
    process.exit(counts.failed ? 1 : 0);
}).catch((error) => {
    console.error(error);
    process.exit(1);
});
