package understudy

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/understudy/understudy-go/internal/hooks"
)

// DefaultTolerance is the usual value of the argument tolerance of VerifyWebhook.
const DefaultTolerance = 5 * time.Minute

// maxSignatures is the largest number of signatures that are compared. A rotation has two.
const maxSignatures = 20

var (
	signaturePattern = regexp.MustCompile(`^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$`)
	timestampPattern = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// WebhookFault is the reason for a *WebhookVerificationError.
type WebhookFault string

// Reasons why a request is not an authentic webhook.
const (
	WebhookMissingSignature        WebhookFault = "missing_signature"
	WebhookMalformedSignature      WebhookFault = "malformed_signature"
	WebhookWrongSignature          WebhookFault = "wrong_signature"
	WebhookTimestampOutOfTolerance WebhookFault = "timestamp_out_of_tolerance"
	WebhookMalformedBody           WebhookFault = "malformed_body"
)

// WebhookEvent is the body of a webhook request.
type WebhookEvent struct {
	// ID is the same in all attempts to deliver the event. Store the ids that you processed.
	ID        string           `json:"id"`
	Event     WebhookEventName `json:"event"`
	Timestamp string           `json:"timestamp"`
	Data      map[string]any   `json:"data"`
}

// VerifyOption changes what VerifyWebhook accepts.
type VerifyOption func(*verifyOptions)

type verifyOptions struct{ allowUntimed bool }

// AllowUntimed accepts a request that has only X-Service-Signature. This signature covers no timestamp, so anybody
// who recorded a request can send it again.
func AllowUntimed() VerifyOption {
	return func(options *verifyOptions) { options.allowUntimed = true }
}

// VerifyWebhook returns the event of a webhook request, or a *WebhookVerificationError if the request is not
// authentic. Pass the body as it arrived, all headers, and each secret that may have signed the request. The
// timestamp may differ from the clock by tolerance; 0 stands for DefaultTolerance.
//
// It verifies the header webhook-signature. A request without this header is refused, unless you pass
// AllowUntimed. An event can arrive twice: store the ids of the events that you processed.
func VerifyWebhook(
	body []byte, header http.Header, secrets []string, tolerance time.Duration, opts ...VerifyOption,
) (*WebhookEvent, error) {
	var options verifyOptions
	for _, option := range opts {
		option(&options)
	}
	if tolerance == 0 {
		tolerance = DefaultTolerance
	}
	if err := checkSecrets(secrets); err != nil {
		return nil, err
	}
	if tolerance < 0 {
		return nil, configurationError("tolerance: expected a positive time, got %v", tolerance)
	}
	fault := WebhookMissingSignature
	if signatures, isGiven := lookup(header, "webhook-signature"); isGiven {
		fault = verifyStandard(body, header, signatures, secrets, tolerance)
	} else if signature, isGiven := lookup(header, "x-service-signature"); isGiven && options.allowUntimed {
		fault = verifyPlain(body, signature, secrets)
	}
	if fault != "" {
		return nil, &WebhookVerificationError{fault}
	}
	event := new(WebhookEvent)
	if !strings.HasPrefix(strings.TrimSpace(string(body)), "{") || decode(body, event) != nil {
		return nil, &WebhookVerificationError{WebhookMalformedBody}
	}
	return event, nil
}

// checkSecrets refuses an empty secret, with which anybody could sign.
func checkSecrets(secrets []string) error {
	if len(secrets) == 0 {
		return configurationError("secrets: expected at least one secret (whsec_…)")
	}
	for _, secret := range secrets {
		if key, err := secretKey(secret); err != nil || len(key) == 0 {
			return configurationError("secrets: expected whsec_ and base64, got a malformed secret")
		}
	}
	return nil
}

func secretKey(secret string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
}

// verifyStandard verifies the signature of Standard Webhooks.
func verifyStandard(
	body []byte, header http.Header, signatures string, secrets []string, tolerance time.Duration,
) WebhookFault {
	id, hasID := lookup(header, "webhook-id")
	timestamp, hasTimestamp := lookup(header, "webhook-timestamp")
	if !hasID || !hasTimestamp {
		return WebhookMissingSignature
	}
	given := signaturesOf(signatures)
	if len(given) == 0 || !timestampPattern.MatchString(timestamp) {
		return WebhookMalformedSignature
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	fault := WebhookWrongSignature
	for _, secret := range secrets {
		// checkSecrets has checked the secret.
		key, _ := secretKey(secret)
		for _, signature := range given {
			if isSigned(signed, key, signature) {
				fault = ""
			}
		}
	}
	// timestampPattern has checked the digits.
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	difference := hooks.Now().Sub(time.Unix(seconds, 0))
	if fault == "" && (difference > tolerance || difference < -tolerance) {
		return WebhookTimestampOutOfTolerance
	}
	return fault
}

// signaturesOf returns the signatures of version 1. Spaces separate several ones, and commas if HTTP joined headers.
func signaturesOf(text string) [][]byte {
	var signatures [][]byte
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' }) {
		pieces := strings.Split(field, ",")
		for i := 1; i < len(pieces) && len(signatures) < maxSignatures; i++ {
			if pieces[i-1] == "v1" && signaturePattern.MatchString(pieces[i]) {
				// signaturePattern has checked the text.
				signature, _ := base64.StdEncoding.DecodeString(pieces[i])
				signatures = append(signatures, signature)
			}
		}
	}
	return signatures
}

// verifyPlain verifies the signature of only the body, whose key is the whole secret.
func verifyPlain(body []byte, encoded string, secrets []string) WebhookFault {
	signature, err := hex.DecodeString(encoded)
	if err != nil || len(signature) != sha256.Size {
		return WebhookMalformedSignature
	}
	fault := WebhookWrongSignature
	for _, secret := range secrets {
		if isSigned(body, []byte(secret), signature) {
			fault = ""
		}
	}
	return fault
}

func isSigned(text, key, signature []byte) bool {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return hmac.Equal(mac.Sum(nil), signature)
}

// lookup finds a header without regard to case. It joins several values as HTTP does, so that two timestamps or ids
// never pass for one of them.
func lookup(header http.Header, name string) (string, bool) {
	var all []string
	for key, values := range header {
		if strings.EqualFold(key, name) {
			all = append(all, values...)
		}
	}
	return strings.Join(all, ", "), len(all) > 0
}
