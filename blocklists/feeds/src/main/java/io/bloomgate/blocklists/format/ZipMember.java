package io.bloomgate.blocklists.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The one list in a zip archive. What publishers add to it (a README, a licence, a web page) is
 * left out by its name; two lists in one archive are refused, because nothing says which one is
 * meant. Used by {@link Compression}, on the reading thread.
 */
final class ZipMember extends InputStream {

  private static final Pattern BESIDE =
      Pattern.compile(
          "(?:.*/)?(?:readme|licen[cs]e|copying|notice|changelog|\\.)[^/]*"
              + "|.*\\.(?:md|html?|pdf|asc|sig|md5|sha256)"
              + "|__macosx/.*|.*/");

  private final ZipInputStream archive;
  private String name = "";
  private boolean ended;

  /** The number of members of the archive that were left out. */
  private int leftOut;

  private long octetsLeft = FeedLimits.INFLATION_FREE_OCTETS;

  private ZipMember(ZipInputStream archive) {
    this.archive = archive;
  }

  /** Finds the list. */
  static InputStream open(InputStream packed) throws IOException {
    return Compression.DecompressedStream.open("zip", packed, ZipMember::first);
  }

  private static InputStream first(InputStream packed) throws IOException {
    ZipMember member = new ZipMember(new ZipInputStream(packed));
    ZipEntry entry = member.nextList();
    if (entry == null) {
      throw new DamagedFeedException("the zip archive holds no list");
    }
    member.name = entry.getName();
    return member;
  }

  private @Nullable ZipEntry nextList() throws IOException {
    ZipEntry entry = archive.getNextEntry();
    while (entry != null && isBeside(entry)) {
      if (leftOut++ >= FeedLimits.FILES_PER_SOURCE) {
        throw new DamagedFeedException(
            "the zip archive has more than " + FeedLimits.FILES_PER_SOURCE + " members");
      }
      skip();
      entry = archive.getNextEntry();
    }
    return entry;
  }

  /**
   * Closing a member inflates it to its end, without a bound; so it is read under one, which is for
   * all that are left out together: {@link FeedBytes} bounds only the list.
   */
  private void skip() throws IOException {
    byte[] buffer = new byte[1 << 13];
    for (int read = archive.read(buffer); read >= 0; read = archive.read(buffer)) {
      octetsLeft -= read;
      if (octetsLeft < 0) {
        throw new DamagedFeedException("the zip archive holds more than a list");
      }
    }
  }

  private static boolean isBeside(ZipEntry entry) {
    return entry.isDirectory()
        || BESIDE.matcher(entry.getName().toLowerCase(Locale.ROOT)).matches();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (ended) {
      return -1;
    }
    int read = archive.read(target, from, length);
    if (read < 0) {
      ended = true;
      ZipEntry second = nextList();
      if (second != null) {
        throw new DamagedFeedException(
            "the zip archive holds two lists, "
                + Octets.escape(name)
                + " and "
                + Octets.escape(second.getName()));
      }
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    archive.close();
  }
}
