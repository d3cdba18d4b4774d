module github.com/understudy/understudy-go

go 1.19
