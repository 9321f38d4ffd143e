ALTER TABLE "usage" DROP CONSTRAINT "usage_run_id_turn_summary_up_to_pk";--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "run_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "turn" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "input_tokens" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "input_tokens" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "cached_tokens" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "cached_tokens" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "output_tokens" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "output_tokens" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "reasoning_tokens" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "reasoning_tokens" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ALTER COLUMN "duration_ms" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "purpose" text DEFAULT 'answer' NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "outcome" text DEFAULT 'ANSWERED' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "usage_answer" ON "usage" USING btree ("run_id","turn","summary_up_to") WHERE "usage"."outcome" = 'ANSWERED';--> statement-breakpoint
CREATE INDEX "usage_run" ON "usage" USING btree ("run_id","turn");--> statement-breakpoint
UPDATE "usage" SET "purpose" = CASE WHEN "summary_up_to" >= 0 THEN 'summary' ELSE 'distillation' END WHERE "summary_up_to" <> -1;
