import type { Database } from '../../db/connection/database.ts';
import { readFeatures } from '../../db/features/features.ts';
import { readProject } from '../../db/project/projects.ts';
import { readEvidenceChain } from '../../db/project/verifications.ts';
import { networkOf } from '../../domain/permissions/network-of-rules.ts';
import { parseRules } from '../../domain/permissions/parse-rules.ts';
import type { EvidenceBundle } from '../../domain/verification/evidence.ts';

/** The evidence of a whole project, sealed checks included. */
export async function readEvidenceBundle(database: Database, projectId: string): Promise<EvidenceBundle> {
  const { id, name, goal, settings } = await readProject(database, projectId);
  const { policy: network } = networkOf(settings.network, parseRules(settings.permissions ?? {}, 'project'));
  const features = await readFeatures(database, projectId);
  return {
    format: 'longhaul-evidence-1',
    project: { id, name, goal, image: settings.image ?? null, network },
    features: features.map(({ name, description, status, verification }) => ({
      name,
      description,
      status,
      verification,
    })),
    verdicts: await readEvidenceChain(database, projectId),
  };
}
