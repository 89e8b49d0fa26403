package io.bloomgate.config.pem;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One block of a PEM file (RFC 7468), and how a file is cut into them. What is between blocks is
 * for people.
 *
 * @param label as in {@code BEGIN label}
 * @param base64 not decoded yet: may be damaged
 */
public record PemBlock(String label, String base64) {

  private static final String BEGIN = "-----BEGIN ";
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  /** No certificate or key comes near it; a file that is no PEM at all might. */
  private static final long MAX_FILE_OCTETS = 1 << 20;

  private static final int LINE_CHARACTERS = 64;

  /**
   * All blocks of a file, in its order.
   *
   * @param setting the key of the settings that names the file
   * @throws PemException when it cannot be read, or ends inside a block
   */
  public static List<PemBlock> readAll(String setting, Path file) throws PemException {
    String text;
    try {
      if (Files.size(file) > MAX_FILE_OCTETS) {
        throw new PemException(setting + ": " + file + " is too large for a PEM file");
      }
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new PemException(setting + ": cannot read " + file + " (" + Faults.reason(e) + ")", e);
    }
    if (BLOCK.matcher(text).replaceAll("").contains(BEGIN)) {
      // A chain without its last certificates would be taken by us and by few senders.
      String what = " ends inside a block; it was cut off, or is still being written";
      throw new PemException(setting + ": " + file + what);
    }
    return of(text);
  }

  /** All blocks of a text, in its order. */
  public static List<PemBlock> of(String text) {
    return BLOCK
        .matcher(text)
        .results()
        .map(block -> new PemBlock(block.group(1), block.group(2)))
        .toList();
  }

  /** The content. */
  public byte[] octets(String setting, Path file) throws PemException {
    try {
      // The strict decoder, but for white space: octets that the MIME one skips would make a key
      // "damaged" in ways that are hard to see.
      return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      throw new PemException(
          setting + ": " + file + " is damaged: the block " + label + " is not Base64", e);
    }
  }

  /** The text of a block with this content. */
  public static String text(String label, byte[] octets) {
    String base64 =
        Base64.getMimeEncoder(LINE_CHARACTERS, new byte[] {'\n'}).encodeToString(octets);
    return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
  }
}
