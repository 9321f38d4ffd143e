/** The base image could be neither pulled nor built on this machine. */
export class BaseImageUnavailableError extends Error {
  override name = 'BaseImageUnavailableError';
}

/** The base image has to be built here, but `debootstrap` is not installed. */
export class DebootstrapMissingError extends Error {
  override name = 'DebootstrapMissingError';
}

/** A step of building the sandbox image failed; the message ends with the last lines of its output. */
export class ImageBuildError extends Error {
  override name = 'ImageBuildError';
}
