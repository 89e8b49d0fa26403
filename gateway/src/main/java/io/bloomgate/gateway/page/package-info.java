/**
 * The administrator's page on {@code admin.http}, and the public page {@code /why/ID}: HTML from
 * templates in {@code src/main/jte}, which escape every value for its place. The pages show the
 * answers of the same requests as the command line. Called by {@code gateway.admin} on the virtual
 * thread of each HTTP request; the only package that knows the template library.
 */
@NullMarked
package io.bloomgate.gateway.page;

import org.jspecify.annotations.NullMarked;
