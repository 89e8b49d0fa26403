package io.bloomgate.blocklists.fleet.published;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/** Files in the zlib format (RFC 1950), and SHA-256 of texts. Pure but for files; blocking. */
final class PackedFiles {

  private static final int BUFFER_OCTETS = 1 << 16;

  private PackedFiles() {}

  /** Something that writes octets. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes a deflated file. */
  static void pack(Path target, Content content) throws IOException {
    Deflater deflater = new Deflater();
    try (OutputStream file = Files.newOutputStream(target);
        OutputStream out = new DeflaterOutputStream(file, deflater, BUFFER_OCTETS)) {
      content.writeTo(out);
    } finally {
      deflater.end();
    }
  }

  /** The octets inside a deflated file. */
  static InputStream unpack(Path packed) throws IOException {
    InputStream file = Files.newInputStream(packed);
    return new InflaterInputStream(file, new Inflater(), BUFFER_OCTETS) {
      @Override
      public void close() throws IOException {
        super.close();
        inf.end();
      }
    };
  }

  /**
   * Unpacks a file.
   *
   * @param octets that it has at most
   * @throws ZipException when it has more, or is damaged
   */
  static void unpack(Path packed, Path target, long octets) throws IOException {
    try (InputStream in = unpack(packed);
        OutputStream out = Files.newOutputStream(target)) {
      byte[] buffer = new byte[BUFFER_OCTETS];
      long room = octets;
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        room -= read;
        if (room < 0) {
          throw new ZipException("it unpacks to more than " + octets + " octets");
        }
        out.write(buffer, 0, read);
      }
    }
  }

  /** Writes a file and gives the SHA-256 of what was written, in hexadecimal. */
  static String digested(Path target, Content content) throws IOException {
    MessageDigest digest = sha256();
    try (OutputStream out = new DigestOutputStream(Files.newOutputStream(target), digest)) {
      content.writeTo(out);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** SHA-256 of a file, in hexadecimal. */
  static String sha256(Path file) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** SHA-256 of octets, in hexadecimal. */
  static String sha256(byte[] octets) {
    return HexFormat.of().formatHex(sha256().digest(octets));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
