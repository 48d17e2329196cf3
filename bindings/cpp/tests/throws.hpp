// Checks an exception's type and what it says.
#pragma once

#include <gtest/gtest.h>

#include <string>

/// The what() of the Error that call throws; a failure of the test when it throws none, or another.
template <typename Error, typename Call>
std::string thrown(Call call) {
    try {
        call();
    } catch (const Error &error) {
        EXPECT_EQ(typeid(error), typeid(Error));
        return error.what();
    } catch (const std::exception &error) {
        ADD_FAILURE() << "threw another type: " << error.what();
        return "";
    }
    ADD_FAILURE() << "threw nothing";
    return "";
}

/// Whether call throws std::invalid_argument that names the argument.
template <typename Call>
testing::AssertionResult refuses(const std::string &argument, Call call) {
    const std::string text = thrown<std::invalid_argument>(call);
    const std::string prefix = "invalid argument: " + argument + ": ";
    if (text.size() > prefix.size() && text.compare(0, prefix.size(), prefix) == 0) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "expected \"" << prefix << "…\", got \"" << text << '"';
}
