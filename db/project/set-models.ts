import { eq } from 'drizzle-orm';
import type { ProjectSettings } from '../../domain/project/settings.ts';
import type { Database } from '../connection/database.ts';
import { projects } from '../schema/projects.ts';
import { inProject } from './project-transaction.ts';

/** Sets the models of a project's agents; roles that are not named keep theirs. Repeating it has no effect and adds no event. */
export async function setModels(
  database: Database,
  projectId: string,
  { model, models }: Pick<ProjectSettings, 'model' | 'models'>,
): Promise<void> {
  await inProject(database, projectId, async ({ query, project, log }) => {
    const { settings } = project;
    const named = { ...(model && { model }), ...(models && { models: { ...settings.models, ...models } }) };
    const before = describeModels(settings);
    const after = describeModels({ ...settings, ...named });
    if (after === before) return;
    await query
      .update(projects)
      .set({ settings: { ...settings, ...named } })
      .where(eq(projects.id, project.id));
    await log({ type: 'models.changed', text: after });
  });
}

function describeModels({ model, models = {} }: Pick<ProjectSettings, 'model' | 'models'>): string {
  const ofRoles = Object.entries(models).map(([role, name]) => `${role}: ${name}`);
  return [...(model ? [model] : []), ...ofRoles.sort()].join('; ');
}
