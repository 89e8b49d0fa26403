package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;

/**
 * The format {@code sha256}: lines of 64 hexadecimal digits, as MalwareBazaar's text export has
 * them; lines of {@code sha256sum}, whose file name is left out; or a table, quoted or not, of
 * which the first field of 64 digits counts. Values of other lengths in a table (MD5, SHA-1, TLSH)
 * are other columns.
 */
final class Sha256Parser implements FeedParser {

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    LineLoop.read(text, run, (octets, from, to, number) -> line(run, octets, from, to, number));
  }

  private static void line(ParseRun run, byte[] text, int from, int to, int number) {
    if (Comments.isWhole(text, from, to)) {
      return;
    }
    int first = Octets.tokenEnd(text, from, to);
    if (first - from == 2 * Fingerprint.OCTETS
        && Fingerprint.parse(Octets.decode(text, from, first))
            instanceof Parsed.Ok<Fingerprint>(Fingerprint print, var ignored)) {
      run.print(print, number);
    } else {
      row(run, text, from, to, number);
    }
  }

  private static void row(ParseRun run, byte[] text, int from, int to, int number) {
    String line = Octets.decode(text, from, to);
    for (int i = 0; i < CsvFields.DELIMITERS.length(); i++) {
      if (CsvFields.of(line, CsvFields.DELIMITERS.charAt(i))
              instanceof CsvFields.Complete(var fields)
          && found(run, fields, number)) {
        return;
      }
    }
    if (run.isFirst() && line.toLowerCase(Locale.ROOT).contains("sha256")) {
      run.skip();
    } else {
      run.problem(number, "no SHA-256 value of 64 hexadecimal digits", text, from, to);
    }
  }

  private static boolean found(ParseRun run, List<String> fields, int number) {
    for (String field : fields) {
      if (Fingerprint.parse(field) instanceof Parsed.Ok<Fingerprint>(var print, var ignored)) {
        run.print(print, number);
        return true;
      }
    }
    return false;
  }
}
