// Package identity is the certificate of a hub: one of the user's, or one that is made
// at the first start and known by its fingerprint.
package identity

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"path/filepath"
	"time"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// File is the file in the folder of a hub that has its certificate and key.
const File = "hub.pem"

// life is how long a certificate that is made here holds: its fingerprint is what
// clients trust.
const life = 10 * 365 * 24 * time.Hour

// Own reads the certificate in a folder, and makes one when there is none.
func Own(dir string, now time.Time) (tls.Certificate, error) {
	path := filepath.Join(dir, File)
	file, err := fsafe.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := create(dir, path, now); err != nil {
			return tls.Certificate{}, fmt.Errorf("make a certificate: %w", err)
		}
		file, err = fsafe.Read(path)
	}
	if err == nil {
		err = file.CheckSecret()
	}
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("read the certificate: %w", err)
	}
	return tls.X509KeyPair(file.Data, file.Data)
}

func create(dir, path string, now time.Time) error {
	if err := fsafe.MkdirAll(dir); err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "cardtop hub"}, DNSNames: []string{"localhost"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(life),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	return fsafe.WriteFile(path, append(data, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...))
}

// Fingerprint returns sha256: and the SHA-256 of a certificate, hex.
func Fingerprint(c tls.Certificate) string {
	sum := sha256.Sum256(c.Certificate[0])
	return "sha256:" + hex.EncodeToString(sum[:])
}
