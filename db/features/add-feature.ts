import { eq } from 'drizzle-orm';
import type { ProposedFeature } from '../../domain/project/settings.ts';
import { cutText } from '../../domain/storable-text.ts';
import { DatabaseError } from '../database-error.ts';
import { addProgress } from '../project/progress.ts';
import type { ProjectTransaction } from '../project/project-transaction.ts';
import { features } from '../schema/work.ts';
import { addFeatures, readFeatures, settleFeatures } from './features.ts';

/**
 * Adds one feature to a planned project; a call with the same id finds it.
 * @throws {DatabaseError} `FeatureUnusable` if the project has no plan yet, the name is taken, or a dependency does not exist.
 */
export async function addFeature(
  transaction: ProjectTransaction,
  feature: ProposedFeature,
  { id, by }: { id: string; by: string },
): Promise<void> {
  const { query, project } = transaction;
  const present = await readFeatures(query, project.id);
  const refuse = (why: string) => new DatabaseError('FeatureUnusable', `"${feature.name}" was not added: ${why}`);
  if (!present.length) throw refuse('the project has no features yet. Add to them once it is planned.');
  // Those that a revert left behind keep their names.
  const all = await query.select().from(features).where(eq(features.projectId, project.id));
  const same = all.find(({ name }) => name === feature.name);
  if (same?.description === feature.description && present.some(({ name }) => name === feature.name)) return;
  if (same) throw refuse('the project has, or had before a revert, a feature of this name. Choose another.');
  const unknown = feature.dependencies.filter((one) => !present.some(({ name }) => name === one));
  if (unknown.length) {
    const names = present.map(({ name }) => name).join(', ');
    throw refuse(`it depends on ${unknown.join(', ')}, which the project does not have. Its features: ${names}.`);
  }
  await addFeatures(transaction, [feature], all.length);
  await settleFeatures(transaction);
  await addProgress(transaction, {
    id,
    featureId: `${project.id}/${feature.name}`,
    action: `feature added by ${by}`,
    outcome: cutText(`${feature.name}: ${feature.description}`, 500),
  });
}
