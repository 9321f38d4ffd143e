ALTER TABLE "usage" ADD COLUMN "reasoning_tokens" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "cost_usd" double precision;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "attempt" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "first_token_ms" integer;