import { TestEnvironment } from 'jest-environment-node';

/** Jest gives each test file its own array classes; onnxruntime's native part makes those of Node and then expects its own. */
export default class NativeArraysEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { Float32Array, BigInt64Array });
  }
}
