// Command differential does the SM2 of github.com/emmansun/gmsm for `cargo xtask differential sm2`.
//
// The protocol is that of xtask/src/differential/sm2/peer.rs: a request is a line, and so is its answer.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/emmansun/gmsm/sm2"
)

// Exchanges that have begun and wait for the other side, by the name that the request gave them.
var exchanges = map[string]*sm2.KeyExchange{}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		answer, err := handle(strings.Fields(in.Text()))
		if err != nil {
			fmt.Println("refused", strings.ReplaceAll(err.Error(), "\n", " "))
			continue
		}
		fmt.Println(strings.Join(append([]string{"ok"}, written(answer)...), " "))
	}
}

func written(fields [][]byte) []string {
	texts := make([]string, len(fields))
	for i, field := range fields {
		texts[i] = hex.EncodeToString(field)
		if len(field) == 0 {
			texts[i] = "-"
		}
	}
	return texts
}

// A request after its first word.
type arguments struct {
	words []string
	err   error
}

func (a *arguments) word() string {
	if len(a.words) == 0 {
		a.err = errors.New("too few words")
		return ""
	}
	word := a.words[0]
	a.words = a.words[1:]
	return word
}

func (a *arguments) bytes() []byte {
	word := a.word()
	if word == "-" {
		return nil
	}
	bytes, err := hex.DecodeString(word)
	if err != nil {
		a.err = err
	}
	return bytes
}

func (a *arguments) private() *sm2.PrivateKey {
	key, err := sm2.NewPrivateKey(a.bytes())
	if err != nil {
		a.err = err
	}
	return key
}

func (a *arguments) public() *ecdsa.PublicKey {
	key, err := sm2.NewPublicKey(a.bytes())
	if err != nil {
		a.err = err
	}
	return key
}

func handle(words []string) ([][]byte, error) {
	a := &arguments{words: words}
	switch operation := a.word(); operation {
	case "version":
		return [][]byte{[]byte(version())}, nil
	case "public":
		key := a.private()
		if a.err != nil {
			return nil, a.err
		}
		return [][]byte{encoded(&key.PublicKey)}, nil
	case "sign":
		return sign(a)
	case "verify":
		return nil, verify(a)
	case "encrypt":
		return encrypt(a)
	case "decrypt":
		return decrypt(a)
	case "initiate":
		return initiate(a)
	case "finish":
		return finish(a)
	case "respond":
		return respond(a)
	case "confirm":
		return confirm(a)
	default:
		return nil, fmt.Errorf("no operation %q", operation)
	}
}

func version() string {
	module := "gmsm"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == "github.com/emmansun/gmsm" {
				module = dependency.Version
			}
		}
	}
	return fmt.Sprintf("%s, %s", module, runtime.Version())
}

func encoded(public *ecdsa.PublicKey) []byte {
	return elliptic.Marshal(public.Curve, public.X, public.Y)
}

func sign(a *arguments) ([][]byte, error) {
	_, key, id, message := a.word(), a.private(), a.bytes(), a.bytes()
	if a.err != nil {
		return nil, a.err
	}
	signature, err := key.SignWithSM2(rand.Reader, id, message)
	return [][]byte{signature}, err
}

func verify(a *arguments) error {
	_, key, id, message, signature := a.word(), a.public(), a.bytes(), a.bytes(), a.bytes()
	if a.err != nil {
		return a.err
	}
	if !sm2.VerifyASN1WithSM2(key, id, message, signature) {
		return errors.New("not valid")
	}
	return nil
}

func encrypt(a *arguments) ([][]byte, error) {
	form, key, plaintext := a.word(), a.public(), a.bytes()
	if a.err != nil {
		return nil, a.err
	}
	options := sm2.ASN1EncrypterOpts
	switch form {
	case "c1c3c2":
		options = sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C3C2)
	case "c1c2c3":
		options = sm2.NewPlainEncrypterOpts(sm2.MarshalUncompressed, sm2.C1C2C3)
	}
	ciphertext, err := sm2.Encrypt(rand.Reader, key, plaintext, options)
	return [][]byte{ciphertext}, err
}

func decrypt(a *arguments) ([][]byte, error) {
	form, key, ciphertext := a.word(), a.private(), a.bytes()
	if a.err != nil {
		return nil, a.err
	}
	options := sm2.ASN1DecrypterOpts
	switch form {
	case "c1c3c2":
		options = sm2.NewPlainDecrypterOpts(sm2.C1C3C2)
	case "c1c2c3":
		options = sm2.NewPlainDecrypterOpts(sm2.C1C2C3)
	}
	plaintext, err := key.Decrypt(rand.Reader, ciphertext, options)
	return [][]byte{plaintext}, err
}

// begin reads what both roles begin with: a name, the length of the shared key, both sides' keys and IDs.
func begin(a *arguments) (string, *sm2.KeyExchange, error) {
	name, length := a.word(), a.bytes()
	own, ownID, other, otherID := a.private(), a.bytes(), a.public(), a.bytes()
	if a.err != nil {
		return "", nil, a.err
	}
	if len(length) != 1 {
		return "", nil, errors.New("a length has one byte")
	}
	exchange, err := sm2.NewKeyExchange(own, other, ownID, otherID, int(length[0]), true)
	return name, exchange, err
}

func initiate(a *arguments) ([][]byte, error) {
	name, exchange, err := begin(a)
	if err != nil {
		return nil, err
	}
	point, err := exchange.InitKeyExchange(rand.Reader)
	if err != nil {
		return nil, err
	}
	exchanges[name] = exchange
	return [][]byte{encoded(point)}, nil
}

// begun takes an exchange that waits.
func begun(name string) (*sm2.KeyExchange, error) {
	exchange, ok := exchanges[name]
	delete(exchanges, name)
	if !ok {
		return nil, fmt.Errorf("no exchange %q", name)
	}
	return exchange, nil
}

func finish(a *arguments) ([][]byte, error) {
	exchange, err := begun(a.word())
	if err != nil {
		return nil, err
	}
	point, confirmation := a.public(), a.bytes()
	if a.err != nil {
		return nil, a.err
	}
	key, own, err := exchange.ConfirmResponder(point, confirmation)
	return [][]byte{key, own}, err
}

func respond(a *arguments) ([][]byte, error) {
	name, exchange, err := begin(a)
	if err != nil {
		return nil, err
	}
	theirs := a.public()
	if a.err != nil {
		return nil, a.err
	}
	point, confirmation, err := exchange.RepondKeyExchange(rand.Reader, theirs)
	if err != nil {
		return nil, err
	}
	exchanges[name] = exchange
	return [][]byte{encoded(point), confirmation}, nil
}

func confirm(a *arguments) ([][]byte, error) {
	exchange, err := begun(a.word())
	if err != nil {
		return nil, err
	}
	confirmation := a.bytes()
	if a.err != nil {
		return nil, a.err
	}
	key, err := exchange.ConfirmInitiator(confirmation)
	return [][]byte{key}, err
}
