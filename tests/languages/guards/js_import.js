// what: import() is no way around: refused, or what it gives does nothing
// contest: OK refused 3
// strict: OK refused 3
const ways = [['child_process', (m) => m.spawnSync('/bin/true')], ['child_process', (m) => m.exec('true')],
	['net', (m) => m.connect(80, '127.0.0.1')]];
let n = 0, left = ways.length;
const done = () => --left || console.log('refused', n);
const code = (e) => { if (e.code === 'ERR_ACCESS_DENIED') n++; else console.log(e.message); done(); };
process.on('uncaughtException', code);
for (const [name, use] of ways)
	import(name).then((m) => { const r = use(m); if (r && r.error) code(r.error); else if (name !== 'net') { console.log('BREACH'); done(); } }).catch(code);
