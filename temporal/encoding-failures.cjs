const { DefaultFailureConverter } = require('@temporalio/common');

// CommonJS, since the SDK loads it with `require`. The messages and stacks of failures become payloads, which the codec encrypts.
exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
