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
ALTER TABLE "chats" ADD COLUMN "agent" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "made_tools" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "agent" jsonb;--> statement-breakpoint
ALTER TABLE "made_tools" ADD CONSTRAINT "made_tools_version_id_made_tool_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."made_tool_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "made_tool_versions_name" ON "made_tool_versions" USING btree ("name","version");--> statement-breakpoint
CREATE UNIQUE INDEX "made_tools_version" ON "made_tools" USING btree ("version_id");