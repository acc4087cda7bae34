// what: a program that changes the language's own methods does not change what the guard sees
// contest: OK refused
// strict: OK refused
Set.prototype.has = () => true; String.prototype.startsWith = () => false; RegExp.prototype.exec = () => null;
String.prototype.split = () => []; String.prototype.includes = () => false; Array.prototype.push = () => 0;
let r = 0;
try { require('node:child_process'); r++; } catch { }
try { require('fs').openSync('/proc/self/mem', 'r+'); r++; } catch { }
console.log(r ? 'BREACH' : 'refused');
