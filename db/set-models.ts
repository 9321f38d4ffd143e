import { eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import { inProject } from './project-transaction.ts';
import { projects } from './schema/projects.ts';
import type { ProjectSettings } from './shapes.ts';

/** Sets the models of a project's agents; roles that are not named keep theirs. Idempotent. */
export async function setModels(
  database: Database,
  projectId: string,
  { model, models }: Pick<ProjectSettings, 'model' | 'models'>,
): Promise<void> {
  await inProject(database, projectId, async ({ query, project }) => {
    const { settings } = project;
    const named = { ...(model && { model }), ...(models && { models: { ...settings.models, ...models } }) };
    await query
      .update(projects)
      .set({ settings: { ...settings, ...named } })
      .where(eq(projects.id, project.id));
  });
}
