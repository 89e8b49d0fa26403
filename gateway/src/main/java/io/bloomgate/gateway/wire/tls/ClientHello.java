package io.bloomgate.gateway.wire.tls;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a client's first message (RFC 8446 section 4.1.2) by which a certificate is chosen.
 * Read by {@link HelloRecords}, asked by {@link CertificateChoice}. Immutable; pure.
 *
 * @param plainNames false when its list of names has not one entry of 1 to 255 octets without a
 *     zero: the only form that BoringSSL takes
 * @param serverName the name that the client asks for (RFC 6066 section 3), in lower case and
 *     without a dot at its end; any octets; empty for none
 * @param tls13 true when it offers TLS 1.3, which is used then
 * @param suites of TLS 1.2 and 1.3
 * @param groups for keys; empty when it does not name them
 * @param signatures schemes that it can check; empty when it does not name them
 */
record ClientHello(
    boolean plainNames,
    String serverName,
    boolean tls13,
    List<Integer> suites,
    List<Integer> groups,
    List<Integer> signatures) {

  private static final int CLIENT_HELLO = 1;
  private static final int RANDOM_OCTETS = 32;
  private static final int TLS_1_3 = 0x0304;

  private static final int SERVER_NAME = 0;
  private static final int SUPPORTED_GROUPS = 10;
  private static final int SIGNATURE_ALGORITHMS = 13;
  private static final int SUPPORTED_VERSIONS = 43;

  private static final int HOST_NAME = 0;
  private static final int MAX_NAME_OCTETS = 255;

  /** ECDHE with AES-GCM and ChaCha20; it has no others that the gateway takes of TLS 1.2. */
  private static final Set<Integer> BORINGSSL_SUITES =
      Set.of(0xc02b, 0xc02c, 0xcca9, 0xc02f, 0xc030, 0xcca8);

  /** The curves P-256, P-384 and P-521, X25519, and X25519MLKEM768. */
  private static final Set<Integer> BORINGSSL_GROUPS = Set.of(23, 24, 25, 29, 0x11ec);

  /**
   * Reads the message.
   *
   * @param message with its header of four octets
   * @return empty when it is no such message, or damaged; TLS itself finds that too and says so
   */
  static Optional<ClientHello> parse(byte[] message) {
    try {
      ByteBuffer in = ByteBuffer.wrap(message);
      return in.get() == CLIENT_HELLO ? Optional.of(body(vector(in, 3))) : Optional.empty();
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }

  private static ClientHello body(ByteBuffer body) {
    uint(body, 2); // the version, 1.2 in all that we take
    taken(body, RANDOM_OCTETS);
    vector(body, 1); // the session
    List<Integer> suites = numbers(vector(body, 2));
    vector(body, 1); // compression
    boolean plainNames = true;
    String serverName = "";
    boolean tls13 = false;
    List<Integer> groups = List.of();
    List<Integer> signatures = List.of();
    ByteBuffer extensions = body.hasRemaining() ? vector(body, 2) : body;
    while (extensions.hasRemaining()) {
      int type = uint(extensions, 2);
      ByteBuffer content = vector(extensions, 2);
      switch (type) {
        case SERVER_NAME -> {
          List<String> names = names(content);
          plainNames = names.size() == 1 && isPlain(names.getFirst()) && !content.hasRemaining();
          serverName =
              names.stream()
                  .filter(n -> !n.isEmpty())
                  .findFirst()
                  .map(ClientHello::bare)
                  .orElse("");
        }
        case SUPPORTED_GROUPS -> groups = numbers(vector(content, 2));
        case SIGNATURE_ALGORITHMS -> signatures = numbers(vector(content, 2));
        case SUPPORTED_VERSIONS -> tls13 = numbers(vector(content, 1)).contains(TLS_1_3);
        default -> {
          // Nothing else matters for the certificate.
        }
      }
    }
    return new ClientHello(plainNames, serverName, tls13, suites, groups, signatures);
  }

  /** True when BoringSSL can go on with it; Java's engine is to do so with all others. */
  boolean fitsBoringSsl() {
    return plainNames
        && (tls13 || suites.stream().anyMatch(BORINGSSL_SUITES::contains))
        && (groups.isEmpty() || groups.stream().anyMatch(BORINGSSL_GROUPS::contains));
  }

  private static boolean isPlain(String name) {
    return !name.isEmpty() && name.length() <= MAX_NAME_OCTETS && name.indexOf(0) < 0;
  }

  private static String bare(String name) {
    String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    return bare.toLowerCase(Locale.ROOT);
  }

  /** The names; empty for what is no host name, or damaged: names never end a handshake. */
  private static List<String> names(ByteBuffer content) {
    List<String> found = new ArrayList<>();
    try {
      ByteBuffer names = vector(content, 2);
      while (names.hasRemaining()) {
        boolean isHost = uint(names, 1) == HOST_NAME;
        String name = StandardCharsets.ISO_8859_1.decode(vector(names, 2)).toString();
        found.add(isHost ? name : "");
      }
    } catch (BufferUnderflowException e) {
      found.add("");
    }
    return found;
  }

  /** The next octets, behind their length (RFC 8446 section 3.4). */
  private static ByteBuffer vector(ByteBuffer in, int lengthOctets) {
    return taken(in, uint(in, lengthOctets));
  }

  private static ByteBuffer taken(ByteBuffer in, int octets) {
    if (octets > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer part = in.slice(in.position(), octets);
    in.position(in.position() + octets);
    return part;
  }

  private static int uint(ByteBuffer in, int octets) {
    int number = 0;
    for (int i = 0; i < octets; i++) {
      number = (number << Byte.SIZE) | (in.get() & 0xff);
    }
    return number;
  }

  private static List<Integer> numbers(ByteBuffer in) {
    List<Integer> numbers = new ArrayList<>(in.remaining() / 2);
    while (in.hasRemaining()) {
      numbers.add(uint(in, 2));
    }
    return List.copyOf(numbers);
  }
}
