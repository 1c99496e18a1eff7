package sshd

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	gossh "golang.org/x/crypto/ssh"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// KeyFile is the file in the folder of a hub that has its host key.
const KeyFile = "ssh_host_ed25519_key"

// HostKey reads the host key in a folder, and makes one when there is none.
func HostKey(dir string) (gossh.Signer, error) {
	path := filepath.Join(dir, KeyFile)
	file, err := fsafe.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := createKey(dir, path); err != nil {
			return nil, fmt.Errorf("make a host key: %w", err)
		}
		file, err = fsafe.Read(path)
	}
	if err == nil {
		err = file.CheckSecret()
	}
	if err != nil {
		return nil, fmt.Errorf("read the host key: %w", err)
	}
	defer clear(file.Data)
	key, err := gossh.ParsePrivateKey(file.Data)
	if err != nil {
		return nil, fmt.Errorf("read %s: it is no SSH key without a passphrase", path)
	}
	return key, nil
}

func createKey(dir, path string) error {
	if err := fsafe.MkdirAll(dir); err != nil {
		return err
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	defer clear(private)
	block, err := gossh.MarshalPrivateKey(private, "cardtop hub")
	if err != nil {
		return err
	}
	defer clear(block.Bytes)
	data := pem.EncodeToMemory(block)
	defer clear(data)
	return fsafe.WriteFile(path, data)
}

// Fingerprint returns that of a key, as OpenSSH prints it.
func Fingerprint(key gossh.PublicKey) string { return gossh.FingerprintSHA256(key) }

// leastRSA is the shortest RSA key that is let in, in bits.
const leastRSA = 3072

// ParseKey reads a line of a public key file and returns the key's fingerprint.
func ParseKey(line string) (string, error) {
	key, _, options, rest, err := gossh.ParseAuthorizedKey([]byte(line))
	switch {
	case err != nil:
		return "", errors.New("it is no public key: give the line of the .pub file")
	case len(options) > 0 || len(rest) > 0:
		return "", errors.New("give the public key alone: no options, one line")
	}
	if err := checkKey(key); err != nil {
		return "", err
	}
	return Fingerprint(key), nil
}

// checkKey refuses keys that are too weak, and certificates: who signs them is not known
// here.
func checkKey(key gossh.PublicKey) error {
	switch key.Type() {
	case gossh.KeyAlgoED25519, gossh.KeyAlgoSKED25519, gossh.KeyAlgoSKECDSA256, gossh.KeyAlgoECDSA256, gossh.KeyAlgoECDSA384, gossh.KeyAlgoECDSA521:
		return nil
	case gossh.KeyAlgoRSA:
		if bits := rsaBits(key); bits < leastRSA {
			return fmt.Errorf("an RSA key needs %d bits, and this one has %d", leastRSA, bits)
		}
		return nil
	default:
		return errors.New("keys are ed25519, ecdsa or rsa")
	}
}

// rsaBits is how long an RSA key is; 0 for others.
func rsaBits(key gossh.PublicKey) int {
	if k, ok := key.(gossh.CryptoPublicKey); ok {
		if k, ok := k.CryptoPublicKey().(*rsa.PublicKey); ok {
			return k.N.BitLen()
		}
	}
	return 0
}
