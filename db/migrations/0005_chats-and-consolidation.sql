CREATE TABLE "chats" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"model" text,
	"head_run_id" text,
	"exchange_count" integer DEFAULT 0 NOT NULL,
	"event_count" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "exchanges" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"number" integer NOT NULL,
	"text" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"run_id" text,
	"message_number" integer,
	"turn" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "exchanges_chat_id_id_pk" PRIMARY KEY("chat_id","id")
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
CREATE TABLE "tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "tasks_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"chat_id" text,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"priority" integer NOT NULL,
	"due" text,
	"depends_on" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"note" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_project_id_number_pk";--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "chat_id" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "chat_id" text;--> statement-breakpoint
ALTER TABLE "exchanges" ADD CONSTRAINT "exchanges_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exchanges" ADD CONSTRAINT "exchanges_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_changes" ADD CONSTRAINT "memory_changes_consolidation_id_memory_consolidations_id_fk" FOREIGN KEY ("consolidation_id") REFERENCES "public"."memory_consolidations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chats_name" ON "chats" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "exchanges_number" ON "exchanges" USING btree ("chat_id","number");--> statement-breakpoint
CREATE INDEX "memory_changes_consolidation" ON "memory_changes" USING btree ("consolidation_id","status");--> statement-breakpoint
CREATE INDEX "memory_changes_memory" ON "memory_changes" USING btree ("memory_id");--> statement-breakpoint
CREATE INDEX "memory_changes_sources" ON "memory_changes" USING gin ("sources");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_number" ON "tasks" USING btree ("number");--> statement-breakpoint
CREATE INDEX "tasks_chat" ON "tasks" USING btree ("chat_id");--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "events_project" ON "events" USING btree ("project_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "events_chat" ON "events" USING btree ("chat_id","number");--> statement-breakpoint
CREATE INDEX "runs_chat" ON "runs" USING btree ("chat_id");--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_owner" CHECK (num_nonnulls("events"."project_id", "events"."chat_id") = 1);--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_owner" CHECK (num_nonnulls("runs"."project_id", "runs"."chat_id") = 1);