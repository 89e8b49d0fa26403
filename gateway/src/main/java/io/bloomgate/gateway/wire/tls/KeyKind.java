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
  P256(0x0403, 23),
  P384(0x0503, 24),
  P521(0x0603, 25),
  ED25519(0x0807, 0),
  ED448(0x0808, 0),

  /** RSA of any length; it has three schemes. */
  RSA(0, 0);

  /** ECDHE_ECDSA with AES-GCM and ChaCha20; EdDSA keys use them too (RFC 8422 section 5.10). */
  private static final List<Integer> EC_SUITES = List.of(0xc02b, 0xc02c, 0xcca9);

  /** ECDHE_RSA and DHE_RSA with AES-GCM and ChaCha20. */
  private static final List<Integer> RSA_SUITES =
      List.of(0xc02f, 0xc030, 0xcca8, 0x009e, 0x009f, 0xccaa);

  /** RSA with padding of PSS, which both versions take. */
  private static final List<Integer> RSA_PSS = List.of(0x0804, 0x0805, 0x0806);

  /** RSA with padding of PKCS #1, which TLS 1.3 does not take. */
  private static final List<Integer> RSA_PKCS1 = List.of(0x0401, 0x0501, 0x0601);

  private static final int P256_BITS = 256;
  private static final int P384_BITS = 384;

  /** The scheme of TLS 1.3; in TLS 1.2 those of ECDSA name no curve, but Java takes no other. */
  private final int scheme;

  /** The number of the curve; 0 for keys that are on none. */
  private final int curve;

  KeyKind(int scheme, int curve) {
    this.scheme = scheme;
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
    List<Integer> offered = hello.signatures();
    if (hello.tls13()) {
      return signs(offered);
    }
    return common(this == RSA ? RSA_SUITES : EC_SUITES, hello.suites())
        && (offered.isEmpty() || signs(offered) || (this == RSA && common(RSA_PKCS1, offered)))
        && (curve == 0 || hello.groups().isEmpty() || hello.groups().contains(curve));
  }

  private boolean signs(List<Integer> offered) {
    return this == RSA ? common(RSA_PSS, offered) : offered.contains(scheme);
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
