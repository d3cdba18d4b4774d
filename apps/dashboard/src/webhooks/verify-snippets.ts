/** The lines that check a signature with each client. The READMEs of the clients have whole receivers. */
export const VERIFY_SNIPPETS = {
  typescript: {
    name: 'TypeScript',
    code: `import { verifyWebhook } from '@understudy/client';

// Throws an error if the request does not come from Understudy.
const event = await verifyWebhook(rawBody, request.headers, process.env.WEBHOOK_SECRET);`,
  },
  python: {
    name: 'Python',
    code: `from understudy import webhooks

# Raises an error if the request does not come from Understudy.
event = webhooks.verify(raw_body, request.headers, os.environ["WEBHOOK_SECRET"])`,
  },
  php: {
    name: 'PHP',
    code: `use Understudy\\Webhook;

// Throws an error if the request does not come from Understudy.
$event = Webhook::verify(file_get_contents('php://input'), getallheaders(), getenv('WEBHOOK_SECRET'));`,
  },
  go: {
    name: 'Go',
    code: `secrets := []string{os.Getenv("WEBHOOK_SECRET")}
// Returns an error if the request does not come from Understudy.
event, err := understudy.VerifyWebhook(body, r.Header, secrets, understudy.DefaultTolerance)`,
  },
} as const;

export type SnippetLanguage = keyof typeof VERIFY_SNIPPETS;
