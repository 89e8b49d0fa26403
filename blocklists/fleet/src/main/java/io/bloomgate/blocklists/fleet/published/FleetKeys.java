package io.bloomgate.blocklists.fleet.published;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.KeyGenerator;

/**
 * Makes the keys of a fleet, signs and checks with them. A signature is the 64 octets of RFC 8032.
 * Used by the leader, by followers and by {@code fleet key}; {@link
 * io.bloomgate.config.settings.FleetKeyFiles} reads the files. Pure.
 */
public final class FleetKeys {

  private static final String ALGORITHM = "Ed25519";
  private static final String PRIVATE = "PRIVATE KEY";
  private static final String PUBLIC = "PUBLIC KEY";

  private static final int SECRET_BITS = 256;

  private FleetKeys() {}

  /**
   * The keys and the secret of a new fleet, each the content of one file.
   *
   * @param privateKey for the leader only
   * @param publicKey for all followers
   * @param secret for all nodes; not shown to others
   */
  public record Made(String privateKey, String publicKey, String secret) {
    @Override
    public String toString() {
      return publicKey;
    }
  }

  /** Makes new keys with the JDK's own secure randomness, which nothing here can replace. */
  public static Made make() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      KeyGenerator secrets = KeyGenerator.getInstance("HmacSHA256");
      secrets.init(SECRET_BITS);
      byte[] secret = secrets.generateKey().getEncoded();
      return new Made(
          pem(PRIVATE, pair.getPrivate().getEncoded()),
          pem(PUBLIC, pair.getPublic().getEncoded()),
          HexFormat.of().formatHex(secret) + "\n");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java makes keys of Ed25519 and HMAC", e);
    }
  }

  private static String pem(String kind, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
  }

  static byte[] sign(PrivateKey key, byte[] octets) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(octets);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java signs with Ed25519", e);
    }
  }

  /** True when the key's owner signed these octets. */
  static boolean isSigned(PublicKey key, byte[] octets, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(key);
      signature.update(octets);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      // The signature has another length, or is no point of the curve.
      return false;
    }
  }
}
