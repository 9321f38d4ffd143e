ALTER TABLE "runs" ADD COLUMN "parent_id" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "root_id" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "depth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_parent_id_runs_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_root_id_runs_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "runs_parent" ON "runs" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "runs_root" ON "runs" USING btree ("root_id");