CREATE TABLE "checkpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"commit" text NOT NULL,
	"title" text NOT NULL,
	"session_id" text,
	"feature_id" text,
	"workflow_id" text,
	"workflow_run_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "decisions" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"session_id" text,
	"run_id" text,
	"title" text NOT NULL,
	"context" text NOT NULL,
	"choice" text NOT NULL,
	"reasoning" text NOT NULL,
	"tags" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"project_id" text NOT NULL,
	"number" bigint NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_project_id_number_pk" PRIMARY KEY("project_id","number")
);
--> statement-breakpoint
CREATE TABLE "feature_changes" (
	"project_id" text NOT NULL,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"feature_id" text NOT NULL,
	"from_status" text,
	"status" text NOT NULL,
	"attempts" integer NOT NULL,
	"blocked_by_dependency" boolean DEFAULT false NOT NULL,
	"reason" text,
	"lesson" text,
	"session_id" text,
	"commit" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feature_changes_project_id_sequence_pk" PRIMARY KEY("project_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "feature_dependencies" (
	"feature_id" text NOT NULL,
	"depends_on_id" text NOT NULL,
	CONSTRAINT "feature_dependencies_feature_id_depends_on_id_pk" PRIMARY KEY("feature_id","depends_on_id")
);
--> statement-breakpoint
CREATE TABLE "features" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"position" integer NOT NULL,
	"description" text NOT NULL,
	"category" text NOT NULL,
	"priority" integer NOT NULL,
	"verification" jsonb NOT NULL,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lineage_ranges" (
	"lineage_id" text NOT NULL,
	"ancestor_id" text NOT NULL,
	"up_to_sequence" bigint NOT NULL,
	CONSTRAINT "lineage_ranges_lineage_id_ancestor_id_pk" PRIMARY KEY("lineage_id","ancestor_id")
);
--> statement-breakpoint
CREATE TABLE "lineages" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"parent_id" text,
	"parent_sequence" bigint,
	"checkpoint_id" text,
	"kept_ref" text,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"run_id" text NOT NULL,
	"number" integer NOT NULL,
	"turn" integer NOT NULL,
	"role" text NOT NULL,
	"content" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_run_id_number_pk" PRIMARY KEY("run_id","number")
);
--> statement-breakpoint
CREATE TABLE "progress" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"session_id" text,
	"feature_id" text,
	"action" text NOT NULL,
	"outcome" text NOT NULL,
	"files_changed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"commit" text,
	"tokens" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"goal" text NOT NULL,
	"folder" text NOT NULL,
	"branch" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"settings" jsonb NOT NULL,
	"summary" text,
	"smoke_check" text,
	"lineage_id" text NOT NULL,
	"sequence" bigint DEFAULT 0 NOT NULL,
	"event_count" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"project_id" text PRIMARY KEY NOT NULL,
	"proposal" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"session_id" text,
	"role" text NOT NULL,
	"model" text NOT NULL,
	"status" text NOT NULL,
	"result" text,
	"turns" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"number" integer NOT NULL,
	"feature_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"base_commit" text,
	"commit" text,
	"basis" jsonb,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "tool_calls" (
	"run_id" text NOT NULL,
	"turn" integer NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"failed" boolean,
	"result_hash" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "tool_calls_run_id_turn_position_pk" PRIMARY KEY("run_id","turn","position")
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"run_id" text NOT NULL,
	"turn" integer NOT NULL,
	"model" text NOT NULL,
	"input_tokens" integer DEFAULT 0 NOT NULL,
	"cached_tokens" integer DEFAULT 0 NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	"duration_ms" integer NOT NULL,
	"request_id" text,
	CONSTRAINT "usage_run_id_turn_pk" PRIMARY KEY("run_id","turn")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"session_id" text NOT NULL,
	"feature_id" text NOT NULL,
	"commit" text NOT NULL,
	"passed" boolean NOT NULL,
	"reason" text NOT NULL,
	"steps" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_changes" ADD CONSTRAINT "feature_changes_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_changes" ADD CONSTRAINT "feature_changes_feature_id_features_id_fk" FOREIGN KEY ("feature_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_dependencies" ADD CONSTRAINT "feature_dependencies_feature_id_features_id_fk" FOREIGN KEY ("feature_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_dependencies" ADD CONSTRAINT "feature_dependencies_depends_on_id_features_id_fk" FOREIGN KEY ("depends_on_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "features" ADD CONSTRAINT "features_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lineages" ADD CONSTRAINT "lineages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "progress" ADD CONSTRAINT "progress_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_feature_id_features_id_fk" FOREIGN KEY ("feature_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_sequence" ON "checkpoints" USING btree ("project_id","sequence");--> statement-breakpoint
CREATE INDEX "decisions_project" ON "decisions" USING btree ("project_id","sequence");--> statement-breakpoint
CREATE INDEX "feature_changes_feature" ON "feature_changes" USING btree ("feature_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "features_name" ON "features" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "progress_project" ON "progress" USING btree ("project_id","sequence");--> statement-breakpoint
CREATE INDEX "projects_folder" ON "projects" USING btree ("folder");--> statement-breakpoint
CREATE INDEX "runs_project" ON "runs" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "sessions_project" ON "sessions" USING btree ("project_id","number");