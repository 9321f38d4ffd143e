/** Globals that a made tool in JavaScript may use without importing them: those that only compute. All other globals of Node are refused. */
export const allowedGlobals: ReadonlySet<string> = new Set(
  (
    'undefined NaN Infinity arguments Object Array String Number Boolean Symbol BigInt Math JSON Date RegExp Map Set WeakMap WeakSet Promise ' +
    'Iterator Intl Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError ArrayBuffer SharedArrayBuffer DataView ' +
    'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array ' +
    'parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape atob btoa structuredClone ' +
    'Buffer TextEncoder TextDecoder URL URLSearchParams console setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate ' +
    'queueMicrotask performance'
  ).split(' '),
);

/** Console methods that it may call; the console object also exposes the streams of its process. */
export const allowedOfConsole: ReadonlySet<string> = new Set(['log', 'info', 'warn', 'error', 'debug', 'table']);

/** Properties that lead from any value to something that evaluates text as code. */
export const refusedProperties: ReadonlySet<string> = new Set(['constructor', 'prototype', 'caller', 'callee']);
