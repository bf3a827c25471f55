module shangmi/peers/gmsm

go 1.24.0

require github.com/emmansun/gmsm v0.43.0

require golang.org/x/crypto v0.48.0 // indirect
