ALTER TABLE "chats" ADD COLUMN "memory" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "exchanges" ADD COLUMN "distillation" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "continues_id" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "continues_before" integer;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_continues_id_runs_id_fk" FOREIGN KEY ("continues_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exchanges_open" ON "exchanges" USING btree ("chat_id","number") WHERE "exchanges"."status" in ('RUNNING', 'WAITING');--> statement-breakpoint
CREATE INDEX "exchanges_to_distil" ON "exchanges" USING btree ("chat_id","number") WHERE "exchanges"."distillation"->>'status' in ('DUE', 'ASKED');