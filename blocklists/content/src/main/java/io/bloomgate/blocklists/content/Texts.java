package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.content.PartHead.Form;
import io.bloomgate.blocklists.content.VisibleText.Kind;
import io.bloomgate.blocklists.content.VisibleText.Link;
import io.bloomgate.blocklists.url.InnerUrls;
import io.bloomgate.blocklists.url.TextUrls;
import io.bloomgate.config.name.WebUrl;
import org.jspecify.annotations.Nullable;

/**
 * Reads the texts of one mail: what is visible goes to the fingerprint of the body, what leads
 * somewhere to the keys. Used by {@link MimeWalk}; of one thread.
 */
final class Texts {

  private final MailKeys keys;
  private final Links links;
  private final @Nullable BodyPrint body;
  private final CharSequence recipients;

  /**
   * Makes the reader of one mail's texts.
   *
   * @param recipients the bodies of its To and Cc, which come before its texts
   */
  Texts(MailKeys keys, Links links, @Nullable BodyPrint body, CharSequence recipients) {
    this.keys = keys;
    this.links = links;
    this.body = body;
    this.recipients = recipients;
  }

  /** True when texts are wanted. */
  boolean areWanted() {
    return body != null || keys.wantsUrls();
  }

  /**
   * Reads the text of a part.
   *
   * @param place {@link Place#NESTED} for one that is no more than evidence
   * @param answers true when the mail answers another one
   * @param prints true for a text of the body
   */
  void read(
      byte[] octets, int length, PartHead head, Place place, boolean answers, boolean prints) {
    Form form = head.form();
    boolean isPage = form == Form.PAGE || form == Form.XML;
    String text = Charsets.decoded(octets, length, head.charset(), isPage);
    VisibleText page = new VisibleText();
    WebUrl base = head.location();
    if (isPage) {
      String said = page(text, form == Form.XML, head.isFile(), page);
      base = WebUrl.base(said).orElse(base);
    } else {
      page.text.append(
          form == Form.CARD ? unfolded(text, page) : head.isJoined() ? joined(text) : text);
    }
    if (prints && body != null) {
      body.put(page.text.toString());
    }
    if (keys.wantsUrls()) {
      urls(page, base, head, place, answers);
    }
  }

  /** Lines of RFC 5545 section 3.1 as one, and the HTML that Outlook shows of a calendar. */
  private String unfolded(String text, VisibleText page) {
    String lines = text.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "");
    String plain = lines.replace("\\n", "\n").replace("\\N", "\n").replace("\\,", ",");
    if (plain.contains("<a ") || plain.contains("<A ")) {
      page(plain, false, false, page);
    }
    return plain;
  }

  /** Reads a page; of what is beyond its limit only the URLs are read, as of a text. */
  private String page(String html, boolean isXml, boolean isFile, VisibleText page) {
    int end = PageText.end(html);
    String said = PageText.read(html.substring(0, end), isXml, isFile, page);
    if (end < html.length() || page.isLimited) {
      keys.odd(Oddity.MANY_TAGS);
      if (keys.wantsUrls()) {
        String rest = " " + (page.isLimited ? html : html.substring(end));
        InnerUrls.of(rest).forEach(url -> links.url(url, Place.OPEN));
      }
    }
    return said;
  }

  /** Lines of RFC 3676 section 4 that go on, without the space at their ends. */
  private static String joined(String text) {
    // A space at the begin of a line is stuffed; one of a quote goes on in a line that is one, too.
    return text.replace("\r\n", "\n").replace("\n-- \n", "\n--\n").replaceAll(" \n>*+ ?+", "");
  }

  private void urls(
      VisibleText page, @Nullable WebUrl base, PartHead head, Place place, boolean answers) {
    Quotes quotes = answers && place == Place.OPEN ? Quotes.of(page, recipients.toString()) : null;
    for (Link link : page.links) {
      Place at = quotes != null && quotes.covers(link.at()) ? Place.NESTED : place;
      if (link.kind() == Kind.FOLLOWED) {
        links.attribute(link.value(), base, at);
      } else {
        InnerUrls.of(" " + link.value()).forEach(url -> links.url(url, Place.NESTED));
      }
    }
    boolean isPlain = head.form() == Form.PLAIN || head.form() == Form.CARD;
    TextUrls found =
        new TextUrls((at, url, hasScheme) -> {
          boolean quoted = place == Place.NESTED || (quotes != null && quotes.covers(at));
          links.url(url, quoted ? Place.NESTED : hasScheme ? Place.OPEN : Place.SCHEMELESS);
        });
    found.read(page.text.toString(), isPlain);
    if (found.isLimited()) {
      keys.odd(Oddity.MANY_KEYS);
    }
  }
}
