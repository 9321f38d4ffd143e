import { DefaultFailureConverter } from '@temporalio/common';

/** Set at the head of the bundle by a worker that encrypts payloads; workflow code has no settings. */
const { longhaulEncodesFailures = false } = globalThis as { longhaulEncodesFailures?: boolean };

/** Makes the messages and stacks of workflows' failures payloads where payloads are encrypted; else they stay readable in the Temporal UI. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: longhaulEncodesFailures });
