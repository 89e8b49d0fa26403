package io.bloomgate.config.name;

/**
 * A key that a list can be asked for: an address of the networks, a name and its parents of two or
 * more labels, a mail address as a whole, a web address and its shorter expressions, a fingerprint,
 * a likeness, the AS number of a network; the domain of a mail address and the host of a web
 * address are separate keys. Immutable; the text of a key is its canonical one.
 */
public sealed interface ListKey
    permits IpAddress, DomainName, MailAddress, WebUrl, Fingerprint, Likeness, AsNumber {}
