/** What a made tool in JavaScript has without importing it: what computes. All else that Node has, it refuses. */
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

/** What it may do with the console, which holds the streams of its process too. */
export const allowedOfConsole: ReadonlySet<string> = new Set(['log', 'info', 'warn', 'error', 'debug', 'table']);

/** Properties through which any value leads to what evaluates text. */
export const refusedProperties: ReadonlySet<string> = new Set(['constructor', 'prototype', 'caller', 'callee']);
