CREATE TABLE "deleted_chats" (
	"id" text PRIMARY KEY NOT NULL
);
