CREATE TABLE "memory_consolidations" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text,
	"dry_run" boolean NOT NULL,
	"since" timestamp with time zone,
	"workflow_id" text NOT NULL,
	"workflow_run_id" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"remark" text,
	"looked" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "memory_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"consolidation_id" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"memory_id" text NOT NULL,
	"sources" text[] NOT NULL,
	"tags_added" text[] DEFAULT '{}' NOT NULL,
	"text" text,
	"model" text,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_usd" double precision,
	"replaces" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "memory_changes" ADD CONSTRAINT "memory_changes_consolidation_id_memory_consolidations_id_fk" FOREIGN KEY ("consolidation_id") REFERENCES "public"."memory_consolidations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memory_changes_consolidation" ON "memory_changes" USING btree ("consolidation_id","status");--> statement-breakpoint
CREATE INDEX "memory_changes_memory" ON "memory_changes" USING btree ("memory_id");--> statement-breakpoint
CREATE INDEX "memory_changes_sources" ON "memory_changes" USING gin ("sources");