package io.bloomgate.blocklists.content.html;

/**
 * Takes what a page in the attribute {@code srcdoc} of a frame has: links count, its text is shown
 * in a separate place and its base is none of the page around it. Used by {@link AttributeValue}.
 */
record FramePage(HtmlSink page) implements HtmlSink {

  @Override
  public void text(char[] text, int from, int to) {
    // browsers make no links of it
  }

  @Override
  public void link(char[] value, int length) {
    page.link(value, length);
  }

  @Override
  public void mention(String value) {
    page.mention(value);
  }

  @Override
  public void script(String value) {
    page.script(value);
  }

  @Override
  public void quote(boolean begins) {
    // nor are there quotes
  }

  @Override
  public void refresh(String content) {
    page.refresh(content);
  }

  @Override
  public void base(String value) {
    page.link(value.toCharArray(), value.length());
  }

  @Override
  public HtmlSink beside() {
    return this;
  }

  @Override
  public void endBeside() {
    // ends with the attribute
  }

  @Override
  public void longAttribute() {
    page.longAttribute();
  }

  @Override
  public void keep(int octets) {
    page.keep(octets);
  }
}
