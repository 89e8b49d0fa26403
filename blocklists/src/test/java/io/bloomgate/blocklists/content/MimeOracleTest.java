package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Mails that other projects test their parsers with, read by ours and by mime4j: the same leaves,
 * octet by octet, wherever the table of differences does not say why not. The mails are not part of
 * the repository ({@code ../shared/mail}); where they are missing the test is skipped.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class MimeOracleTest {

  private static final Path MAIL = Path.of("..", "..", "shared", "mail");

  /**
   * Base64 that ends inside a group of four: mime4j drops the group, Python and browsers do not.
   */
  private static final String OPEN_GROUP = "the last octets of base64 without padding";

  /** RFC 2046 section 5.1.1: a boundary has no space at its end; gateways take it away. */
  private static final String SPACE = "the boundary ends with spaces";

  /** Files that are read differently, and why ours is the reading to keep. */
  private static final Map<String, String> DIFFERENCES =
      Map.ofEntries(
          Map.entry(
              "Lib_test_test_email_data_msg_15.txt",
              "the part behind the end of a multipart whose inner one has the same boundary"),
          Map.entry(
              "Lib_test_test_email_data_msg_25.txt",
              "a multipart without a boundary is text, and parts at the first line like one"),
          Map.entry(
              "Lib_test_test_email_data_msg_33.txt",
              "the boundary is written as RFC 2231 says, which mime4j does not read; Python does"),
          Map.entry(
              "Lib_test_test_email_data_msg_39.txt",
              "multiparts inside each other with one boundary: parts behind the first end are read,"
                  + " as Python does; "
                  + OPEN_GROUP),
          Map.entry("core_src_test_resources_mimetools-testmsgs_frag.msg", OPEN_GROUP),
          Map.entry(
              "core_src_test_resources_mimetools-testmsgs_multi-bad.msg",
              "a multipart without parts and text in one header: read as both"),
          Map.entry("core_src_test_resources_mimetools-testmsgs_multi-frag.msg", OPEN_GROUP),
          Map.entry("core_src_test_resources_testmsgs_very-long-boundary.msg", SPACE),
          Map.entry("core_src_test_resources_testmsgs_very-very-long-boundary.msg", SPACE),
          Map.entry("core_src_test_resources_testmsgs_weird-boundary.msg", SPACE),
          Map.entry("james-utils_src_test_resources_sampleMail.msg", OPEN_GROUP),
          Map.entry("testdata_mail_inlinemultipart.raw", OPEN_GROUP),
          Map.entry("testdata_mail_malformed-multiple-address-header-values.raw", OPEN_GROUP),
          Map.entry("testdata_mail_mime-bad-content-type.raw", OPEN_GROUP),
          Map.entry("testdata_mail_mime-blank-media-name.raw", OPEN_GROUP),
          Map.entry("testdata_mail_mime-duplicate-param.raw", OPEN_GROUP),
          Map.entry("testdata_mail_mime-unquoted-tspecials-param.raw", OPEN_GROUP),
          Map.entry(
              "testdata_mail_qp-utf8-header-no-break.raw",
              "no empty line before the first boundary: mime4j reads the first part as a header"),
          Map.entry(
              "testdata_parts_quoted-printable-invalid.raw",
              "an escape without its second digit before a line end: mime4j doubles the CR"),
          Map.entry("tests__data_emails_m4009.txt", OPEN_GROUP));

  /** A leaf of mime4j. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares leaves
  private record Theirs(String type, byte[] octets, String charset) {}

  private static List<Theirs> theirs(byte[] mail) throws IOException, MimeException {
    MimeTokenStream stream = new MimeTokenStream(MimeConfig.PERMISSIVE);
    stream.parse(new ByteArrayInputStream(mail));
    List<Theirs> all = new ArrayList<>();
    for (EntityState state = stream.getState();
        state != EntityState.T_END_OF_STREAM;
        state = stream.next()) {
      if (state == EntityState.T_BODY) {
        byte[] octets = stream.getDecodedInputStream().readAllBytes();
        all.add(
            new Theirs(
                stream.getBodyDescriptor().getMimeType(),
                octets,
                stream.getBodyDescriptor().getCharset()));
      }
    }
    return all;
  }

  @Test
  void leavesAreThoseOfMime4j() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(MAIL), "no mails beside the repository");
    Map<String, String> found = new TreeMap<>();
    int mails = 0;
    int leaves = 0;
    try (Stream<Path> files = Files.walk(MAIL, 2)) {
      for (Path file :
          files
              .filter(f -> Files.isRegularFile(f) && !MAIL.equals(f.getParent()))
              .sorted()
              .toList()) {
        byte[] mail = Files.readAllBytes(file);
        List<Theirs> theirs;
        try {
          theirs = theirs(mail);
        } catch (MimeException | IOException e) {
          found.put(file.getFileName().toString(), "mime4j: " + e.getMessage());
          continue;
        }
        List<Leaves.Leaf> ours = Leaves.of(mail, MimeLimits.DEFAULTS, 8192).found;
        mails++;
        leaves += ours.size();
        String difference = difference(ours, theirs);
        if (!difference.isEmpty()) {
          found.put(file.getFileName().toString(), difference);
        }
      }
    }
    assertEquals(
        new TreeSet<>(DIFFERENCES.keySet()),
        found.keySet(),
        () -> String.join("\n", found.entrySet().stream().map(Object::toString).toList()));
    assertTrue(leaves > 2 * mails, mails + " mails, " + leaves + " leaves");
  }

  private static String difference(List<Leaves.Leaf> ours, List<Theirs> theirs) {
    for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
      byte[] our = withLineFeeds(ours.get(i).octets());
      byte[] their = withLineFeeds(theirs.get(i).octets());
      if (!Arrays.equals(our, their)) {
        int at = Arrays.mismatch(our, their);
        return "leaf %d differs at %d of %d and %d octets: %s | %s"
            .formatted(i, at, our.length, their.length, shown(our, at), shown(their, at));
      }
      String text = textDifference(ours.get(i), theirs.get(i));
      if (!text.isEmpty()) {
        return "leaf " + i + ": " + text;
      }
    }
    return ours.size() == theirs.size()
        ? ""
        : "%d leaves and %d".formatted(ours.size(), theirs.size());
  }

  /** mime4j writes CRLF for a bare LF in quoted-printable. Over SMTP there is none. */
  private static byte[] withLineFeeds(byte[] octets) {
    return new String(octets, ISO_8859_1).replace("\r\n", "\n").getBytes(ISO_8859_1);
  }

  /** Text in a charset that both know, and that is what it says. */
  private static String textDifference(Leaves.Leaf ours, Theirs theirs) {
    boolean isText = theirs.type().startsWith("text/");
    boolean known = theirs.charset() != null && isKnown(theirs.charset());
    if (!isText || !known) {
      return "";
    }
    String expected = new String(ours.octets(), Charset.forName(theirs.charset()));
    if (expected.indexOf('\ufffd') >= 0) {
      return "";
    }
    StringBuilder read = new StringBuilder();
    TextDecoder decoder =
        new TextDecoder((text, from, to) -> read.append(text, from, to - from), TextDecoder.BODY);
    decoder.start(ours.charset());
    for (int i = 0; i < ours.octets().length; i += 100) {
      decoder.put(ours.octets(), i, Math.min(ours.octets().length, i + 100));
    }
    decoder.end();
    return read.toString().equals(expected) ? "" : "text in " + theirs.charset();
  }

  private static boolean isKnown(String charset) {
    try {
      return Charset.isSupported(charset);
    } catch (IllegalCharsetNameException e) {
      return false;
    }
  }

  private static String shown(byte[] octets, int at) {
    return new String(
            octets,
            Math.max(0, at - 10),
            Math.min(40, octets.length - Math.max(0, at - 10)),
            ISO_8859_1)
        .replace("\r", "\\r")
        .replace("\n", "\\n");
  }
}
