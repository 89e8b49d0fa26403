package io.bloomgate.gateway.wire.tls;

import java.security.PublicKey;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.util.List;

/**
 * The kinds of keys that a certificate can have, those that cost the processor least first, and
 * which clients can check a signature with each. Used by {@link CertificateChoice}. Pure.
 *
 * <p>The numbers are those of IANA's registries for TLS: signature schemes (RFC 8446 section
 * 4.2.3), groups (RFC 8422 section 5.1.1) and cipher suites, of the latter only those that the
 * gateway takes.
 */
public enum KeyKind {
  P256(List.of(0x0403), 23),
  P384(List.of(0x0503), 24),
  P521(List.of(0x0603), 25),
  ED25519(List.of(0x0807), 0),
  ED448(List.of(0x0808), 0),
  RSA(List.of(0x0804, 0x0805, 0x0806), 0);

  /** ECDHE_ECDSA with AES-GCM and ChaCha20; EdDSA keys use them too (RFC 8422 section 5.10). */
  private static final List<Integer> EC_SUITES = List.of(0xc02b, 0xc02c, 0xcca9);

  /** ECDHE_RSA and DHE_RSA with AES-GCM and ChaCha20. */
  private static final List<Integer> RSA_SUITES =
      List.of(0xc02f, 0xc030, 0xcca8, 0x009e, 0x009f, 0xccaa);

  /** RSA with padding of PKCS #1, which TLS 1.3 does not take. */
  private static final List<Integer> RSA_PKCS1 = List.of(0x0401, 0x0501, 0x0601);

  private static final int P256_BITS = 256;
  private static final int P384_BITS = 384;

  /** The schemes of TLS 1.3; in TLS 1.2 those of ECDSA name no curve, but Java takes no other. */
  private final List<Integer> signatures;

  /** The number of the curve; 0 for keys that are on none. */
  private final int curve;

  KeyKind(List<Integer> signatures, int curve) {
    this.signatures = signatures;
    this.curve = curve;
  }

  static KeyKind of(PublicKey key) {
    if (key instanceof ECKey ec) {
      int bits = ec.getParams().getCurve().getField().getFieldSize();
      return bits == P256_BITS ? P256 : bits == P384_BITS ? P384 : P521;
    }
    if (key instanceof EdECKey ed) {
      return ed.getParams().getName().equals("Ed448") ? ED448 : ED25519;
    }
    return RSA;
  }

  /** True when the client can go on with a certificate of this kind. */
  boolean serves(ClientHello hello) {
    return hello.tls13()
        ? common(signatures, hello.signatures())
        : common(this == RSA ? RSA_SUITES : EC_SUITES, hello.suites())
            && (hello.signatures().isEmpty() || signsForTls12(hello.signatures()))
            && (curve == 0 || hello.groups().isEmpty() || hello.groups().contains(curve));
  }

  private boolean signsForTls12(List<Integer> offered) {
    return common(signatures, offered) || (this == RSA && common(RSA_PKCS1, offered));
  }

  private static boolean common(List<Integer> ours, List<Integer> theirs) {
    for (Integer one : ours) {
      if (theirs.contains(one)) {
        return true;
      }
    }
    return false;
  }
}
