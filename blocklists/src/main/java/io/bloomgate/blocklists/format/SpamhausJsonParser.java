package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The format {@code spamhaus-json}: a JSON object a line with member {@code cidr}, and a last one
 * of type {@code metadata} that says how many records there are. A file with another number, or one
 * of Spamhaus that lacks the last line, was cut or glued together and is not trusted.
 */
final class SpamhausJsonParser implements FeedParser {

  @Override
  public void parse(InputStream text, ParseRun run) throws IOException {
    Records records = new Records(run);
    JsonLines.read(text, run, records::object);
    records.end();
  }

  /** Reads one text. */
  private static final class Records {
    private final ParseRun run;

    /** Spamhaus closes its lists; others who use its form need not. */
    private boolean ofSpamhaus;

    private boolean closed;

    /** Lines of others among them are not counted. */
    private long read;

    Records(ParseRun run) {
      this.run = run;
    }

    void object(JsonObject object, String text, int number) {
      Optional<String> cidr = object.text("cidr");
      if (cidr.isPresent()) {
        read++;
        ofSpamhaus |= object.text("sblid").isPresent();
        switch (IpPrefix.parse(cidr.get())) {
          case Parsed.Bad<IpPrefix>(String reason) -> run.problem(number, reason, text);
          case Parsed.Ok<IpPrefix> ok -> run.network(ok, false, number);
        }
      } else if (object.text("type").filter("metadata"::equals).isPresent()) {
        closed = true;
        run.skip();
        checkCount(object);
      } else {
        run.problem(number, "no member \"cidr\"", text);
      }
    }

    private void checkCount(JsonObject metadata) {
      if (metadata.get("records").orElse(null) instanceof JsonNumber(String literal)
          && !literal.equals(Long.toString(read))) {
        run.damage(
            "the list says it has " + Octets.escape(literal) + " records, " + read + " were read");
      }
    }

    /** A list that was cut lacks its last line before all others. */
    void end() {
      if (ofSpamhaus && !closed) {
        run.damage("the list ends without the record of type metadata that closes it");
      }
    }
  }
}
