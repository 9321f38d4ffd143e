import { imageName } from '../../sandbox/image/image-tag.ts';

/** What an agent may rely on in its sandbox's image. Of a person's own image only its name is known, and what every image must have. */
export function describeImage(image: string): string {
  if (image.startsWith(`${imageName}:`)) {
    return 'It has bash, git, ripgrep, curl, make, Python 3 with pytest, Node with npm.';
  }
  return `Its image is \`${image}\`, chosen by a person: count on bash, coreutils, findutils, grep, git and on what that image is known to have, nothing else.`;
}
