import type Docker from 'dockerode';
import { translateHostErrors } from '../docker/host/host-errors.ts';

/** Whether the container host has an image of that name. */
export async function imageExists(docker: Docker, tag: string): Promise<boolean> {
  return translateHostErrors(async () => {
    try {
      await docker.getImage(tag).inspect();
      return true;
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 404) return false;
      throw error;
    }
  });
}
