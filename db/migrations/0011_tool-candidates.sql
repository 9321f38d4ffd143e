CREATE TABLE "made_tool_candidates" (
	"id" text PRIMARY KEY NOT NULL,
	"tool" jsonb NOT NULL,
	"refusals" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
