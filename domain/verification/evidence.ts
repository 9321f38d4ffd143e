import { z } from 'zod';
import { isNetworkPolicy, type NetworkPolicy, networkPolicyExpected } from '../network/network-policy.ts';
import type { FeatureVerification, StepResult } from '../project/settings.ts';
import { featureStatuses, type VerificationPurpose, verificationPurposes } from '../project/statuses.ts';
import type { MutantCounts } from './mutants.ts';

/** One verdict with all that it rests on. A commit's id stands for its files. */
export interface Evidence {
  /** Its place in the project's chain, from 1. */
  number: number;
  /** The hash of the one before it; null for the first. */
  previous: string | null;
  id: string;
  feature: string;
  /** The feature's description. */
  requirement: string;
  /** SHA-256 of the feature's verification as canonical JSON, with the files of its sealed checks. */
  checks: string;
  purpose: VerificationPurpose;
  commit: string;
  /** The id of the image in which it ran; null if nothing ran. */
  image: string | null;
  passed: boolean;
  reason: string;
  steps: StepResult[];
  /** What the checks noticed of mistakes in the work; null if none was tried. */
  mutants: MutantCounts | null;
  /** In ISO 8601. */
  at: string;
  /** SHA-256 of all of the above as canonical JSON (RFC 8785), in hexadecimal. */
  hash: string;
}

const step = z.object({ description: z.string(), command: z.string().optional(), timeoutMs: z.number().optional() });
const sealedCheck = z.object({
  requirement: z.string(),
  command: z.string(),
  files: z.array(z.object({ path: z.string(), content: z.string() })),
  timeoutMs: z.number().optional(),
});
const verification = z.object({
  steps: z.array(step),
  protectedPaths: z.array(z.string()),
  sealed: z.array(sealedCheck),
  allowed: z.array(z.string()).optional(),
}) satisfies z.ZodType<FeatureVerification>;

/** Only what is read of a verdict before its hash was checked; the rest is kept as it is. */
const verdict = z
  .looseObject({
    number: z.number(),
    previous: z.string().nullable(),
    id: z.string(),
    feature: z.string(),
    checks: z.string(),
    purpose: z.enum(verificationPurposes),
    commit: z.string(),
    passed: z.boolean(),
    hash: z.string(),
  })
  .transform((value) => value as unknown as Evidence);

/** The evidence of a whole project, as a file that travels with its repository. */
export const evidenceBundleSchema = z.object({
  format: z.literal('longhaul-evidence-1'),
  project: z.object({
    id: z.string(),
    name: z.string(),
    goal: z.string(),
    image: z.string().nullable(),
    network: z.custom<NetworkPolicy>(isNetworkPolicy, { error: networkPolicyExpected }),
  }),
  features: z.array(
    z.object({ name: z.string(), description: z.string(), status: z.enum(featureStatuses), verification }),
  ),
  /** All of them in order, reverted ones included. */
  verdicts: z.array(verdict),
});

export type EvidenceBundle = z.infer<typeof evidenceBundleSchema>;
