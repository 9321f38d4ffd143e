ALTER TABLE "runs" ADD COLUMN "shortened_at_turn" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "created_at" timestamp with time zone DEFAULT now() NOT NULL;