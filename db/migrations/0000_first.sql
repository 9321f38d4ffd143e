CREATE TABLE "agent_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"agent" text NOT NULL,
	"version" text NOT NULL,
	"kind" text NOT NULL,
	"queue" text NOT NULL,
	"status" text NOT NULL,
	"input" jsonb NOT NULL,
	"params" jsonb,
	"metadata" jsonb NOT NULL,
	"conversation_id" text,
	"idempotency_key" text,
	"parent_id" text,
	"retry_of" text,
	"limits" jsonb NOT NULL,
	"timeout_ms" bigint,
	"max_retries" integer NOT NULL,
	"backoff_ms" bigint NOT NULL,
	"priority" integer NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"checkpoint" integer DEFAULT 0 NOT NULL,
	"state" jsonb,
	"output" jsonb,
	"final_messages" jsonb,
	"artifacts" jsonb,
	"own_usage" jsonb,
	"reason" text,
	"event_count" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "hosted_agents" (
	"key" text NOT NULL,
	"version" text NOT NULL,
	"kind" text NOT NULL,
	"queue" text NOT NULL,
	"declaration" jsonb NOT NULL,
	"hosted_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "hosted_agents_key_version_pk" PRIMARY KEY("key","version")
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"run_id" text NOT NULL,
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"result" jsonb,
	"finished" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operations_run_id_scope_key_pk" PRIMARY KEY("run_id","scope","key")
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"person" text,
	"project_id" text,
	"parent_id" text,
	"model" text,
	"agent" jsonb,
	"head_run_id" text,
	"memory" boolean DEFAULT true NOT NULL,
	"exchange_count" integer DEFAULT 0 NOT NULL,
	"event_count" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deleted_chats" (
	"id" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "tasks_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"chat_id" text,
	"person" text,
	"project_id" text,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"priority" integer NOT NULL,
	"due" text,
	"depends_on" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"note" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"checkpoint" text,
	"checkpoint_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "chat_folders" (
	"chat_id" text PRIMARY KEY NOT NULL,
	"folder" text NOT NULL,
	"copy" text NOT NULL,
	"base" jsonb NOT NULL,
	"instructions" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_images" (
	"chat_id" text NOT NULL,
	"hash" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "chat_images_chat_id_hash_pk" PRIMARY KEY("chat_id","hash")
);
--> statement-breakpoint
CREATE TABLE "file_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"chat_id" text NOT NULL,
	"request" jsonb NOT NULL,
	"result" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transferred_files" (
	"transfer_id" text NOT NULL,
	"path" text NOT NULL,
	"executable" boolean NOT NULL,
	"link" text,
	"content" "bytea" NOT NULL,
	CONSTRAINT "transferred_files_transfer_id_path_pk" PRIMARY KEY("transfer_id","path")
);
--> statement-breakpoint
CREATE TABLE "made_tool_candidates" (
	"id" text PRIMARY KEY NOT NULL,
	"tool" jsonb NOT NULL,
	"refusals" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "made_tool_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"description" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"language" text NOT NULL,
	"code" text NOT NULL,
	"tests" text NOT NULL,
	"author" text NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "made_tools" (
	"name" text PRIMARY KEY NOT NULL,
	"version_id" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outside_calls" (
	"run_id" text NOT NULL,
	"id" text NOT NULL,
	"place" text NOT NULL,
	"tool" text NOT NULL,
	"input" jsonb NOT NULL,
	"has_side_effects" boolean NOT NULL,
	"timeout_ms" bigint,
	"claimed_by" text,
	"seen_at" timestamp with time zone,
	"result" jsonb,
	"failed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "outside_calls_run_id_id_pk" PRIMARY KEY("run_id","id")
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
CREATE TABLE "start_requests" (
	"project_id" text PRIMARY KEY NOT NULL,
	"folder" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "requests" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text,
	"chat_id" text,
	"agent_run_id" text,
	"kind" text NOT NULL,
	"asked" text NOT NULL,
	"items" jsonb NOT NULL,
	"rule" text,
	"session_id" text,
	"feature" text,
	"deadline_at" timestamp with time zone,
	"default_answer" text NOT NULL,
	"answer" text,
	"answered_by" text,
	"reason" text,
	"answered_at" timestamp with time zone,
	"used_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "requests_owner" CHECK (num_nonnulls("requests"."project_id", "requests"."chat_id", "requests"."agent_run_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "events" (
	"project_id" text,
	"chat_id" text,
	"agent_run_id" text,
	"number" bigint NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_owner" CHECK (num_nonnulls("events"."project_id", "events"."chat_id", "events"."agent_run_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "exchanges" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"number" integer NOT NULL,
	"text" text NOT NULL,
	"images" jsonb,
	"status" text NOT NULL,
	"reason" text,
	"run_id" text,
	"message_number" integer,
	"turn" integer,
	"extraction" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "exchanges_chat_id_id_pk" PRIMARY KEY("chat_id","id")
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
CREATE TABLE "runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text,
	"chat_id" text,
	"agent_run_id" text,
	"session_id" text,
	"parent_id" text,
	"root_id" text,
	"depth" integer DEFAULT 0 NOT NULL,
	"continues_id" text,
	"continues_before" integer,
	"role" text NOT NULL,
	"model" text NOT NULL,
	"status" text NOT NULL,
	"result" text,
	"turns" integer DEFAULT 0 NOT NULL,
	"shortened_up_to" integer DEFAULT -1 NOT NULL,
	"shortened_at_turn" integer DEFAULT 0 NOT NULL,
	"made_tools" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"agent" jsonb,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "runs_owner" CHECK (num_nonnulls("runs"."project_id", "runs"."chat_id", "runs"."agent_run_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "steering_messages" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"text" text NOT NULL,
	"for_run_id" text,
	"run_id" text,
	"message_number" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "steering_messages_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "summaries" (
	"run_id" text NOT NULL,
	"up_to_message" integer NOT NULL,
	"turn" integer NOT NULL,
	"written" text NOT NULL,
	"shown" text,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "summaries_run_id_up_to_message_pk" PRIMARY KEY("run_id","up_to_message")
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
CREATE TABLE "audit_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person" text,
	"project_id" text,
	"conversation_id" text,
	"run_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text,
	"details" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "error_records" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "error_records_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person" text,
	"project_id" text,
	"conversation_id" text,
	"run_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"severity" text NOT NULL,
	"type" text NOT NULL,
	"message" text NOT NULL,
	"stack" text,
	"details" text NOT NULL,
	"resolution" text,
	"resolved_by" text,
	"resolved_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "memory_entries" (
	"owner" text NOT NULL,
	"key" text collate "C" NOT NULL,
	"value" text NOT NULL,
	"version" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_entries_owner_key_pk" PRIMARY KEY("owner","key")
);
--> statement-breakpoint
CREATE TABLE "metrics" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "metrics_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person" text,
	"project_id" text,
	"conversation_id" text,
	"run_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"value" double precision NOT NULL,
	"unit" text,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "preferences" (
	"owner" text NOT NULL,
	"key" text collate "C" NOT NULL,
	"value" text NOT NULL,
	"version" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "preferences_owner_key_pk" PRIMARY KEY("owner","key")
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"run_id" text,
	"turn" integer DEFAULT 0 NOT NULL,
	"summary_up_to" integer DEFAULT -1 NOT NULL,
	"purpose" text DEFAULT 'answer' NOT NULL,
	"outcome" text DEFAULT 'ANSWERED' NOT NULL,
	"model" text NOT NULL,
	"input_tokens" integer,
	"cached_tokens" integer,
	"output_tokens" integer,
	"reasoning_tokens" integer,
	"estimated" boolean DEFAULT false NOT NULL,
	"cost_usd" double precision,
	"attempt" integer DEFAULT 1 NOT NULL,
	"first_token_ms" integer,
	"duration_ms" integer,
	"request_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "changed_checks" (
	"project_id" text NOT NULL,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"feature_id" text NOT NULL,
	"verification" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "changed_checks_project_id_sequence_pk" PRIMARY KEY("project_id","sequence")
);
--> statement-breakpoint
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
CREATE TABLE "decision_outcomes" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"decision_id" text NOT NULL,
	"outcome" text NOT NULL,
	"score" double precision NOT NULL,
	"lesson" text,
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
	"proposed_checks" jsonb,
	"requested_change" jsonb,
	"lineage_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"session_id" text NOT NULL,
	"feature_id" text NOT NULL,
	"number" integer NOT NULL,
	"previous" text,
	"hash" text NOT NULL,
	"checks" text NOT NULL,
	"commit" text NOT NULL,
	"image" text,
	"purpose" text NOT NULL,
	"passed" boolean NOT NULL,
	"reason" text NOT NULL,
	"steps" jsonb NOT NULL,
	"mutants" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_run_id_agent_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."agent_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_changes" ADD CONSTRAINT "memory_changes_consolidation_id_memory_consolidations_id_fk" FOREIGN KEY ("consolidation_id") REFERENCES "public"."memory_consolidations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_folders" ADD CONSTRAINT "chat_folders_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_images" ADD CONSTRAINT "chat_images_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_transfers" ADD CONSTRAINT "file_transfers_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transferred_files" ADD CONSTRAINT "transferred_files_transfer_id_file_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."file_transfers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "made_tools" ADD CONSTRAINT "made_tools_version_id_made_tool_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."made_tool_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outside_calls" ADD CONSTRAINT "outside_calls_run_id_agent_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."agent_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lineages" ADD CONSTRAINT "lineages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_agent_run_id_agent_runs_id_fk" FOREIGN KEY ("agent_run_id") REFERENCES "public"."agent_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_agent_run_id_agent_runs_id_fk" FOREIGN KEY ("agent_run_id") REFERENCES "public"."agent_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exchanges" ADD CONSTRAINT "exchanges_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exchanges" ADD CONSTRAINT "exchanges_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_agent_run_id_agent_runs_id_fk" FOREIGN KEY ("agent_run_id") REFERENCES "public"."agent_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_parent_id_runs_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_root_id_runs_id_fk" FOREIGN KEY ("root_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_continues_id_runs_id_fk" FOREIGN KEY ("continues_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "steering_messages" ADD CONSTRAINT "steering_messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "steering_messages" ADD CONSTRAINT "steering_messages_for_run_id_runs_id_fk" FOREIGN KEY ("for_run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "steering_messages" ADD CONSTRAINT "steering_messages_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changed_checks" ADD CONSTRAINT "changed_checks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changed_checks" ADD CONSTRAINT "changed_checks_feature_id_features_id_fk" FOREIGN KEY ("feature_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decision_outcomes" ADD CONSTRAINT "decision_outcomes_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decision_outcomes" ADD CONSTRAINT "decision_outcomes_decision_id_decisions_id_fk" FOREIGN KEY ("decision_id") REFERENCES "public"."decisions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_changes" ADD CONSTRAINT "feature_changes_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_changes" ADD CONSTRAINT "feature_changes_feature_id_features_id_fk" FOREIGN KEY ("feature_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_dependencies" ADD CONSTRAINT "feature_dependencies_feature_id_features_id_fk" FOREIGN KEY ("feature_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_dependencies" ADD CONSTRAINT "feature_dependencies_depends_on_id_features_id_fk" FOREIGN KEY ("depends_on_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "features" ADD CONSTRAINT "features_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "progress" ADD CONSTRAINT "progress_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_feature_id_features_id_fk" FOREIGN KEY ("feature_id") REFERENCES "public"."features"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_runs_idempotency" ON "agent_runs" USING btree ("agent","idempotency_key");--> statement-breakpoint
CREATE INDEX "agent_runs_created" ON "agent_runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "agent_runs_agent" ON "agent_runs" USING btree ("agent","created_at");--> statement-breakpoint
CREATE INDEX "agent_runs_parent" ON "agent_runs" USING btree ("parent_id") WHERE "agent_runs"."parent_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "chats_name" ON "chats" USING btree ("name");--> statement-breakpoint
CREATE INDEX "chats_person" ON "chats" USING btree ("person");--> statement-breakpoint
CREATE INDEX "chats_project" ON "chats" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_number" ON "tasks" USING btree ("number");--> statement-breakpoint
CREATE INDEX "tasks_chat" ON "tasks" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "memory_changes_consolidation" ON "memory_changes" USING btree ("consolidation_id","status");--> statement-breakpoint
CREATE INDEX "memory_changes_memory" ON "memory_changes" USING btree ("memory_id");--> statement-breakpoint
CREATE INDEX "memory_changes_sources" ON "memory_changes" USING gin ("sources");--> statement-breakpoint
CREATE INDEX "made_tool_versions_name" ON "made_tool_versions" USING btree ("name","version");--> statement-breakpoint
CREATE UNIQUE INDEX "made_tools_version" ON "made_tools" USING btree ("version_id");--> statement-breakpoint
CREATE INDEX "outside_calls_open" ON "outside_calls" USING btree ("run_id") WHERE "outside_calls"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "projects_folder" ON "projects" USING btree ("folder");--> statement-breakpoint
CREATE INDEX "requests_open" ON "requests" USING btree ("created_at") WHERE "requests"."answered_by" is null;--> statement-breakpoint
CREATE INDEX "requests_session" ON "requests" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_project" ON "events" USING btree ("project_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "events_chat" ON "events" USING btree ("chat_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "events_agent_run" ON "events" USING btree ("agent_run_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "exchanges_number" ON "exchanges" USING btree ("chat_id","number");--> statement-breakpoint
CREATE INDEX "exchanges_open" ON "exchanges" USING btree ("chat_id","number") WHERE "exchanges"."status" in ('RUNNING', 'WAITING');--> statement-breakpoint
CREATE INDEX "exchanges_to_extract" ON "exchanges" USING btree ("chat_id","number") WHERE "exchanges"."extraction"->>'status' in ('DUE', 'ASKED');--> statement-breakpoint
CREATE UNIQUE INDEX "messages_id" ON "messages" USING btree ("run_id",("content"->>'id')) WHERE "messages"."content" ? 'id';--> statement-breakpoint
CREATE INDEX "runs_project" ON "runs" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "runs_parent" ON "runs" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "runs_root" ON "runs" USING btree ("root_id");--> statement-breakpoint
CREATE INDEX "runs_chat" ON "runs" USING btree ("chat_id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_agent_run" ON "runs" USING btree ("agent_run_id");--> statement-breakpoint
CREATE INDEX "steering_messages_waiting" ON "steering_messages" USING btree ("project_id") WHERE "steering_messages"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "steering_messages_run" ON "steering_messages" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "audit_entries_number" ON "audit_entries" USING btree ("number");--> statement-breakpoint
CREATE INDEX "error_records_number" ON "error_records" USING btree ("number");--> statement-breakpoint
CREATE INDEX "metrics_name" ON "metrics" USING btree ("name","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "usage_answer" ON "usage" USING btree ("run_id","turn","summary_up_to") WHERE "usage"."outcome" = 'ANSWERED';--> statement-breakpoint
CREATE INDEX "usage_run" ON "usage" USING btree ("run_id","turn");--> statement-breakpoint
CREATE UNIQUE INDEX "checkpoints_sequence" ON "checkpoints" USING btree ("project_id","sequence");--> statement-breakpoint
CREATE INDEX "decision_outcomes_project" ON "decision_outcomes" USING btree ("project_id","sequence");--> statement-breakpoint
CREATE INDEX "decisions_project" ON "decisions" USING btree ("project_id","sequence");--> statement-breakpoint
CREATE INDEX "feature_changes_feature" ON "feature_changes" USING btree ("feature_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "features_name" ON "features" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "progress_project" ON "progress" USING btree ("project_id","sequence");--> statement-breakpoint
CREATE INDEX "sessions_project" ON "sessions" USING btree ("project_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "verifications_number" ON "verifications" USING btree ("project_id","number");