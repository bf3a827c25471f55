// Command gmsm does the SM2 of github.com/emmansun/gmsm for `cargo xtask bench-peers`.
//
// It reads requests from standard input, a JSON object a line, and answers each with one on standard output. The
// process is asked for one sample after the other, in turns with the other implementations, and measures itself:
// the processor time of the whole process, the garbage collector's included.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/emmansun/gmsm/ecdh"
	"github.com/emmansun/gmsm/sm2"
)

type request struct {
	// Operation: "version", "key", or one of those of run.
	Operation string `json:"operation"`
	// Key: of "key" the private key; of "verify_new_key" the public key; of "exchange" the other side's.
	Key string `json:"key"`
	// Inputs: digests, plaintexts, ciphertexts or ephemeral public keys, taken in turn.
	Inputs []string `json:"inputs"`
	// Signatures: one for each digest.
	Signatures []string `json:"signatures"`
	Iterations uint64   `json:"iterations"`
}

type answer struct {
	// Output of the last iteration.
	Output    string  `json:"output"`
	Accepted  bool    `json:"accepted"`
	Processor float64 `json:"processor"`
	Wall      float64 `json:"wall"`
	Error     string  `json:"error"`
}

// The private key that was set last, for signatures and encryption and for key exchange.
var (
	key     *sm2.PrivateKey
	ecdhKey *ecdh.PrivateKey
)

// Where nothing else was agreed.
var defaultID = []byte("1234567812345678")

func main() {
	runtime.LockOSThread()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var asked request
		var given answer
		err := json.Unmarshal(in.Bytes(), &asked)
		if err == nil {
			given, err = handle(&asked)
		}
		if err != nil {
			given = answer{Error: err.Error()}
		}
		if out.Encode(given) != nil {
			return
		}
	}
}

func handle(asked *request) (answer, error) {
	switch asked.Operation {
	case "version":
		return answer{Output: version()}, nil
	case "key":
		private, err := hex.DecodeString(asked.Key)
		if err != nil {
			return answer{}, err
		}
		if key, err = sm2.NewPrivateKey(private); err != nil {
			return answer{}, err
		}
		ecdhKey, err = key.ECDH()
		return answer{}, err
	}
	if key == nil {
		return answer{}, errors.New("no key")
	}
	return measure(asked)
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

func measure(asked *request) (answer, error) {
	inputs, err := decode(asked.Inputs)
	if err != nil {
		return answer{}, err
	}
	signatures, err := decode(asked.Signatures)
	if err != nil {
		return answer{}, err
	}
	public, err := hex.DecodeString(asked.Key)
	if err != nil {
		return answer{}, err
	}
	count := uint64(len(inputs))
	if count == 0 {
		return answer{}, errors.New("no inputs")
	}
	var output []byte
	accepted := true
	processor, wall := processorTime(), time.Now()
	for i := uint64(0); i < asked.Iterations; i++ {
		input := inputs[i%count]
		switch asked.Operation {
		case "generate":
			output, err = generate()
		case "sign":
			output, err = sm2.SignASN1(rand.Reader, key, input, nil)
		case "verify":
			accepted = sm2.VerifyASN1(&key.PublicKey, input, signatures[i%count]) && accepted
		case "verify_new_key":
			accepted = verifyNewKey(public, input, signatures[i%count]) && accepted
		case "encrypt":
			output, err = sm2.EncryptASN1(rand.Reader, &key.PublicKey, input)
		case "decrypt":
			output, err = sm2.Decrypt(key, input)
		case "exchange":
			output, err = exchange(public, input)
		default:
			err = errors.New("no such operation")
		}
		if err != nil {
			return answer{}, err
		}
	}
	return answer{
		Processor: float64(processorTime() - processor),
		Wall:      float64(time.Since(wall)),
		Output:    hex.EncodeToString(output),
		Accepted:  accepted,
	}, nil
}

func decode(texts []string) ([][]byte, error) {
	decoded := make([][]byte, len(texts))
	for i, text := range texts {
		bytes, err := hex.DecodeString(text)
		if err != nil {
			return nil, err
		}
		decoded[i] = bytes
	}
	return decoded, nil
}

func generate() ([]byte, error) {
	made, err := sm2.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return encoded(&made.PublicKey), nil
}

func encoded(public *ecdsa.PublicKey) []byte {
	return elliptic.Marshal(public.Curve, public.X, public.Y)
}

func verifyNewKey(public, digest, signature []byte) bool {
	made, err := sm2.NewPublicKey(public)
	return err == nil && sm2.VerifyASN1(made, digest, signature)
}

// exchange does the initiator's side without confirmation: R_A, then 32 bytes of key.
func exchange(public, ephemeral []byte) ([]byte, error) {
	curve := ecdh.P256()
	peer, err := curve.NewPublicKey(public)
	if err != nil {
		return nil, err
	}
	rB, err := curve.NewPublicKey(ephemeral)
	if err != nil {
		return nil, err
	}
	rA, err := curve.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	point, err := ecdhKey.SM2MQV(rA, peer, rB)
	if err != nil {
		return nil, err
	}
	shared, err := point.SM2SharedKey(false, 32, ecdhKey.PublicKey(), peer, defaultID, defaultID)
	if err != nil {
		return nil, err
	}
	return append(rA.PublicKey().Bytes(), shared...), nil
}

// processorTime is that of the process, in nanoseconds.
func processorTime() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}
