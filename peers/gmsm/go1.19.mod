// gmsm for a Go older than 1.24, as that of Debian 12: `go build -modfile=go1.19.mod`.
module shangmi/peers/gmsm

go 1.18

require github.com/emmansun/gmsm v0.29.7

require (
	golang.org/x/crypto v0.32.0 // indirect
	golang.org/x/sys v0.29.0 // indirect
)
