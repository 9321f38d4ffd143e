CREATE TABLE "interjections" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"text" text NOT NULL,
	"for_run_id" text,
	"run_id" text,
	"message_number" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "interjections_project_id_id_pk" PRIMARY KEY("project_id","id")
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
ALTER TABLE "usage" DROP CONSTRAINT "usage_run_id_turn_pk";--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "summary_up_to" integer DEFAULT -1 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD CONSTRAINT "usage_run_id_turn_summary_up_to_pk" PRIMARY KEY("run_id","turn","summary_up_to");--> statement-breakpoint
ALTER TABLE "interjections" ADD CONSTRAINT "interjections_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "interjections" ADD CONSTRAINT "interjections_for_run_id_runs_id_fk" FOREIGN KEY ("for_run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "interjections" ADD CONSTRAINT "interjections_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "interjections_waiting" ON "interjections" USING btree ("project_id") WHERE "interjections"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "interjections_run" ON "interjections" USING btree ("run_id");